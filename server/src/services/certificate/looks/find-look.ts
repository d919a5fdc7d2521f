import { type Certificate, type Look, mergeLooks, partiesOf } from '@millseal/families'
import type { LookSettings } from '@millseal/contract'
import type { CertificateDependencies } from '../dependencies.ts'
import { findLooks } from './looks.store.ts'
import { toLook } from './look-settings.ts'
import { everyReceiver, receiverKeys } from './receiver-key.ts'

type Wanted = {
  readonly companyId: string
  /** Its receivers decide, in their order. */
  readonly certificate: Certificate
  /** A key that decides instead. */
  readonly receiver?: string
  /** Tried instead of the stored settings: for `receiver`, or without one for all receivers. */
  readonly settings?: LookSettings
}

/** The look that a certificate of the company has; empty if nothing is set. */
export const findLook = async (
  { database }: CertificateDependencies,
  { companyId, certificate, receiver, settings }: Wanted,
): Promise<Look> => {
  const keys = receiver === undefined ? receiverKeys(partiesOf(certificate)) : [receiver]
  const rows = await findLooks(database.query, { companyId, receivers: [everyReceiver, ...keys] })
  const rowOf = (key: string) => rows.find((row) => row.receiver === key)
  const own = toLook(rowOf(everyReceiver), receiver === undefined ? settings : undefined)
  const key = receiver ?? keys.find((one) => rowOf(one) !== undefined)
  if (key === undefined) return own
  return mergeLooks(own, toLook(rowOf(key), receiver === undefined ? undefined : settings))
}
