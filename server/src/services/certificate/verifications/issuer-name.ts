import type { Mode, RecordedIssuer } from '@millseal/contract'
import type { LedgerRecord } from '../../km/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { subjectsOf } from './recorded-evidence.ts'

/** Whose an entry is, as far as its signer has published an identity. */
export const recordedIssuerOf = async (
  { keys }: CertificateDependencies,
  mode: Mode,
  { issuerPublicKey: publicKey, transaction, timestamp }: LedgerRecord,
): Promise<RecordedIssuer> => {
  const known = publicKey === undefined ? undefined : await keys.findIssuer({ mode, publicKey })
  return {
    name: known?.identity?.company.name,
    did: subjectsOf(transaction).signer,
    time: timestamp.toISOString(),
  }
}

/** The name of the company, or else its key. */
export const nameOfIssuer = async (
  deps: CertificateDependencies,
  mode: Mode,
  record: LedgerRecord,
): Promise<string> => {
  const { name, did } = await recordedIssuerOf(deps, mode, record)
  return name ?? did ?? '–'
}
