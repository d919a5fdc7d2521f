import type { Mode } from '@millseal/contract'
import type { Ledger } from '../../../ports/ledger/ledger.ts'
import { embedded } from '../nodes/connection-url.ts'

export type Ledgers = {
  embedded(mode: Mode): Ledger
  /** A BigchainDB-compatible network. */
  at(url: string): Ledger
}

type Address = { readonly mode: Mode; readonly connectionUrl: string }

export const ledgerAt = (ledgers: Ledgers, { mode, connectionUrl }: Address): Ledger =>
  connectionUrl === embedded ? ledgers.embedded(mode) : ledgers.at(connectionUrl)
