import type { CompanyReference, Mode } from '@millseal/contract'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Audit } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database, Query } from '../../ports/database/database.ts'
import type { Ledger } from '../../ports/ledger/ledger.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { Vault } from '../../ports/vault/vault.ts'

/** The ledgers there can be; which of them a transaction goes to is decided by the nodes. */
export type Ledgers = {
  embedded(mode: Mode): Ledger
  /** A BigchainDB-compatible network. */
  at(url: string): Ledger
}

export type KmDependencies = {
  readonly users: {
    findCompany(query: Query, id: string): Promise<CompanyReference | undefined>
    findCompaniesById(query: Query, ids: readonly string[]): Promise<readonly CompanyReference[]>
  }
  readonly database: Database
  readonly vault: Vault
  readonly ledgers: Ledgers
  readonly clock: Clock
  readonly outbox: Outbox
  readonly audit: Audit
  readonly publicUrl: () => string
  readonly log: Pick<Logger, 'warn'>
  readonly metrics: Registry
}
