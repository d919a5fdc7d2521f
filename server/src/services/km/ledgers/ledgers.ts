import type { Mode } from '@millseal/contract'
import type { Confirmations } from '../../../ports/ledger/confirmations.ts'
import type { Ledger } from '../../../ports/ledger/ledger.ts'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'
import { embedded } from './connection-url.ts'

/** The log of this service, with its public files. */
export type OwnLog = Ledger & {
  readonly files: LogFiles
  /** Undefined without cosigners. */
  readonly confirmation: Confirmations | undefined
}

export type Ledgers = {
  embedded(mode: Mode): OwnLog
  /** A BigchainDB-compatible network. */
  at(mode: Mode, url: string): Ledger
}

export const ledgerAt = (
  ledgers: Ledgers,
  { mode, connectionUrl }: { readonly mode: Mode; readonly connectionUrl: string },
): Ledger => (connectionUrl === embedded ? ledgers.embedded(mode) : ledgers.at(mode, connectionUrl))
