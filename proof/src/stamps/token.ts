import type { DerValue } from './der.ts'
import { oid } from './fields.ts'
import { assertAbout, readSignedData, type Signer } from './signed-data.ts'
import { StampRefused } from './stamp-refused.ts'
import { readStampInfo, type StampInfo } from './stamp-info.ts'

/** A time stamp token: RFC 3161 §2.4.2 in a SignedData of RFC 5652. Nothing in it is verified. */
export type Token = {
  readonly info: StampInfo
  readonly certificates: readonly DerValue[]
  readonly signer: Signer
}

const stampInfo = oid('1.2.840.113549.1.9.16.1.4')
const largestBytes = 16_384

/** Throws `StampRefused` unless it is complete, in DER and signed by exactly one signer. */
export const readToken = (bytes: Uint8Array): Token => {
  if (bytes.length > largestBytes)
    throw new StampRefused(`The time stamp has more than ${largestBytes} bytes`)
  const { version, type, content, certificates, signer } = readSignedData(bytes)
  if (version !== 3) throw new StampRefused('The time stamp has an unknown version')
  if (type !== stampInfo || content === undefined) throw new StampRefused('This is not a time stamp')
  if (signer.unsigned.size > 0) throw new StampRefused('The time stamp has attributes that nothing signs')
  assertAbout(signer, { type: stampInfo, digest: (hash) => hash.digest(content) })
  return { info: readStampInfo(content), certificates, signer }
}
