import { equalBytes } from '../encoding/bytes.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import { type Authority, type Chain, chainOf, signerAmong } from './chain.ts'
import type { Signer } from './signed-data.ts'
import type { StampInfo } from './stamp-info.ts'
import { isSignedBy } from './signature.ts'
import { StampRefused } from './stamp-refused.ts'
import { readToken, type Token } from './token.ts'

/** What an authority says: that the stamped bytes existed at this time. RFC 3339 in UTC with milliseconds. */
export type Stamped = {
  readonly time: string
  /** The time plus what the clock of the authority may be off: they existed before. */
  readonly before: string
  /** Its name in the policy of the verifier. */
  readonly authority: string
}

/** The root of an authority in DER. Throws `StampRefused`. */
export const readAuthority = (name: string, root: Uint8Array): Authority => ({
  name,
  root: readCertificate(root),
})

export type StampClaim = {
  /** The ContentInfo in DER. */
  readonly token: Uint8Array
  /** SHA-256 of what was stamped. */
  readonly sha256: Uint8Array
  readonly authorities: readonly Authority[]
}

/**
 * Verifies a time stamp of RFC 3161 offline. Strict: every byte of a token counts, so that an altered one is refused. Whether
 * the authority has revoked a certificate is not in the token. Throws `StampRefused`.
 */
export const verifyStamp = ({ token: bytes, sha256, authorities }: StampClaim): Stamped => {
  const token = readToken(bytes)
  const chain = chainOf(token, authorities)
  if (chain.certificates.length < token.certificates.length)
    throw new StampRefused('The time stamp contains a certificate that is not needed')
  return statementOf({ token, chain, sha256 })
}

const statementOf = ({
  token: { info, signer },
  chain,
  sha256,
}: {
  readonly token: Token
  readonly chain: Chain
  readonly sha256: Uint8Array
}): Stamped => {
  const { time } = info
  assertImprint(info, sha256)
  for (const certificate of [...chain.certificates, chain.authority.root]) assertValidAt(certificate, time.ms)
  assertSigned(signer, chain.signer)
  const laterMs = Math.ceil((time.micros + info.accuracyMicros) / 1_000)
  return {
    time: new Date(time.ms).toISOString(),
    before: new Date(time.ms + laterMs).toISOString(),
    authority: chain.authority.name,
  }
}

const assertImprint = ({ imprint }: StampInfo, sha256: Uint8Array): void => {
  if (imprint.hash !== 'SHA-256' || !equalBytes(imprint.digest, sha256))
    throw new StampRefused('The time stamp is about something else')
}

const assertSigned = ({ algorithm, signed, signature }: Signer, { key }: Certificate): void => {
  if (!isSignedBy({ key, algorithm, message: signed, signature }))
    throw new StampRefused('The signature of the time stamp is wrong')
}

/** Throws `StampRefused` unless it is about this and unaltered since its signer made it. Any signer is accepted. */
export const assertIntact = (bytes: Uint8Array, sha256: Uint8Array): void => {
  const { info, certificates, signer } = readToken(bytes)
  assertImprint(info, sha256)
  const given = certificates.map((one) => readCertificate(one.bytes))
  assertSigned(signer, signerAmong(given, signer))
}

const assertValidAt = ({ notBeforeMs, notAfterMs }: Certificate, ms: number): void => {
  // The last second of a certificate belongs to it.
  if (ms < notBeforeMs || ms >= notAfterMs + 1_000)
    throw new StampRefused('The time stamp was made while a certificate of the authority was not valid')
}
