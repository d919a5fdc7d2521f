import type { Mode } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import type { CertificateFile } from '../../../ports/ledger/ledger.ts'
import type { LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { nameOfIssuer } from './issuer-name.ts'
import { findNotarized } from './notarizations.store.ts'
import { subjectsOf } from './recorded-evidence.ts'
import { recordedHashes } from './recorded-hashes.ts'

type Wanted = {
  readonly mode: Mode
  readonly hash: string
  /** Either, if it is not given. */
  readonly file?: CertificateFile
  /** The DID of the key that signed the entry. */
  readonly issuer?: string | undefined
}

export type FoundEntry = {
  readonly record: LedgerRecord
  /** Entries of others for the same certificate. */
  readonly others: readonly LedgerRecord[]
}

/** The entry of the wanted issuer. Without one: that of the seller whom the certificate names, or else the first. */
export const findEntry = async (
  deps: CertificateDependencies,
  { mode, hash, file, issuer }: Wanted,
): Promise<FoundEntry | undefined> => {
  const { keys } = deps
  const first = file === 'json' ? undefined : await keys.findRecord({ mode, hash, file })
  if (file !== 'json' && first === undefined) return undefined
  const jsonHash = first === undefined ? hash : recordedHashes(first).jsonHash
  const recorded = jsonHash === undefined ? [] : await keys.findRecords({ mode, jsonHash })
  const all = recorded.length === 0 && first !== undefined ? [first] : recorded
  const fitting = jsonHash === hash ? all : all.filter((record) => recordedHashes(record).pdfHash === hash)
  const record = await choose(deps, { mode, issuer, fitting: fitting.length === 0 ? all : fitting })
  return record && { record, others: all.filter((other) => other !== record) }
}

const choose = async (
  { database }: CertificateDependencies,
  {
    mode,
    issuer,
    fitting,
  }: {
    readonly mode: Mode
    readonly issuer: string | undefined
    readonly fitting: readonly LedgerRecord[]
  },
): Promise<LedgerRecord | undefined> => {
  if (issuer !== undefined)
    return fitting.find(({ transaction }) => subjectsOf(transaction).signer === issuer)
  for (const record of fitting) {
    const { transactionId } = record
    // In test mode anybody can record an entry that stands beside another one.
    const entry = { mode, transactionId, ...recordedHashes(record) }
    if (isBeside(record) && (await findNotarized(database.query, entry)) !== undefined) return record
  }
  return fitting[0]
}

const isBeside = ({ transaction }: LedgerRecord): boolean =>
  transaction.operation === 'CREATE' && typeof transaction.asset.data?.['beside'] === 'string'

/** Names them, for a reader of the entry that was chosen. */
export const notesOnOthers = (
  deps: CertificateDependencies,
  { mode, others }: { readonly mode: Mode; readonly others: readonly LedgerRecord[] },
): Promise<readonly Reason[]> =>
  Promise.all(
    others.map(async (other) =>
      because('also_recorded_by', {
        name: await nameOfIssuer(deps, mode, other),
        time: minuteOf(other.timestamp),
      }),
    ),
  )

/** `2026-11-22 05:10 UTC` */
export const minuteOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
