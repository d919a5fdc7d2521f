import { type KeyObject, verify } from 'node:crypto'
import { limits } from '@millseal/contract'

export type Callback = {
  readonly body: Uint8Array
  readonly signature: string | undefined
  readonly timestamp: string | undefined
}

/** True if the mail provider signed it recently: an old callback cannot be replayed. */
export const isGenuine = (
  { body, signature, timestamp }: Callback,
  { key, nowMs }: { readonly key: KeyObject | undefined; readonly nowMs: number },
): boolean => {
  if (key === undefined || signature === undefined || timestamp === undefined) return false
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > limits.callbackToleranceSeconds) return false
  const signed = Buffer.concat([Buffer.from(timestamp), body])
  return verify('sha256', signed, { key, dsaEncoding: 'der' }, Buffer.from(signature, 'base64'))
}
