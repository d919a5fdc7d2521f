import type { CompanyReference } from '@millseal/contract'
import type { Registry } from 'prom-client'
import type { Audit } from '../../ports/audit/audit.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import type { Database, Query } from '../../ports/database/database.ts'
import type { Outbox } from '../../ports/outbox/outbox.ts'
import type { Vault } from '../../ports/vault/vault.ts'
import type { Ledgers } from './ledgers/ledgers.ts'
import type { LedgerRouting } from './ledgers/routing.ts'

/** The parts of the server that km-service uses. */
export type KmOptions = {
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
  readonly metrics: Registry
}

export type KmDependencies = KmOptions & { readonly routing: LedgerRouting }
