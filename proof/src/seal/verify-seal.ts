import { concatBytes } from '../encoding/bytes.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Certificate } from '../stamps/certificate.ts'
import type { Authority } from '../stamps/chain.ts'
import type { DerValue } from '../stamps/der.ts'
import { oid } from '../stamps/fields.ts'
import { assertAbout, readSignedData } from '../stamps/signed-data.ts'
import { isSignedBy } from '../stamps/signature.ts'
import { StampRefused } from '../stamps/stamp-refused.ts'
import { assertIntact, type Stamped, verifyStamp } from '../stamps/verify-stamp.ts'
import { fillingOf, findSealHole } from './find-seal.ts'
import { personName } from './person-name.ts'
import { aboutSeals, certificatesOf } from './seal-certificates.ts'
import { SealRefused } from './seal-refused.ts'

/** Who sealed a PDF, as its certificate says. Whether to believe the issuer of the certificate is up to the reader. */
export type Seal = {
  readonly signer: string
  /** Who issued the certificate of the signer. */
  readonly issuer: string
  /** By the clock of the signer. RFC 3339 in UTC. */
  readonly claimedAt: string
  /** Of PAdES (ETSI EN 319 142-1): without or with a time stamp. */
  readonly level: 'B-B' | 'B-T'
  /** What an authority that the verifier trusts says of the time. */
  readonly stamped: Stamped | undefined
}

export const sealNames = {
  data: oid('1.2.840.113549.1.7.1'),
  timeStamp: oid('1.2.840.113549.1.9.16.2.14'),
}

/**
 * Verifies the seal of a PDF offline: it covers the whole file, is intact, and was made with the key of its certificate while
 * that was valid. Undefined without a seal. Throws `SealRefused`.
 */
export const verifySeal = (pdf: Uint8Array, authorities: readonly Authority[]): Seal | undefined =>
  aboutSeals(() => {
    const found = findSealHole(pdf)
    if (found === undefined) return undefined
    const signedData = readSignedData(fillingOf(found))
    const { version, type, content, signer } = signedData
    if (version !== 1 || type !== sealNames.data || content !== undefined)
      throw new SealRefused('The signature of the PDF is not that of a seal')
    const covered = concatBytes(found.before, found.after)
    assertAbout(signer, { type: sealNames.data, digest: (hash) => hash.digest(covered) })
    const chain = certificatesOf(signedData)
    const [own] = chain
    const { algorithm, signed, signature, unsigned } = signer
    if (!isSignedBy({ key: own.key, algorithm, message: signed, signature }))
      throw new SealRefused('The signature of the seal is wrong')
    const time = timeOf(unsigned, { signature, authorities })
    assertValidAt(chain, time.stamped?.time ?? found.claimedAt)
    return {
      signer: personName(own.subject),
      issuer: personName(own.issuer),
      claimedAt: found.claimedAt,
      ...time,
    }
  })

const timeOf = (
  unsigned: ReadonlyMap<string, DerValue>,
  given: { readonly signature: Uint8Array; readonly authorities: readonly Authority[] },
): { readonly level: Seal['level']; readonly stamped: Stamped | undefined } => {
  const token = unsigned.get(sealNames.timeStamp)?.bytes
  if (unsigned.size > (token === undefined ? 0 : 1))
    throw new SealRefused('The seal has attributes that nothing signs')
  if (token === undefined) return { level: 'B-B', stamped: undefined }
  const digest = sha256(given.signature)
  try {
    assertIntact(token, digest)
  } catch (cause) {
    throw new SealRefused('The time stamp of the seal is unusable', { cause })
  }
  return { level: 'B-T', stamped: stampedBy(token, { digest, authorities: given.authorities }) }
}

/** Undefined if none of the authorities that the verifier trusts made it. */
const stampedBy = (
  token: Uint8Array,
  { digest, authorities }: { readonly digest: Uint8Array; readonly authorities: readonly Authority[] },
): Stamped | undefined => {
  try {
    return authorities.length === 0 ? undefined : verifyStamp({ token, sha256: digest, authorities })
  } catch (error) {
    if (error instanceof StampRefused) return undefined
    throw error
  }
}

const assertValidAt = (chain: readonly Certificate[], time: string): void => {
  const ms = Date.parse(time)
  // The last second of a certificate belongs to it.
  if (chain.some(({ notBeforeMs, notAfterMs }) => !(ms >= notBeforeMs && ms < notAfterMs + 1_000)))
    throw new SealRefused('The PDF was sealed while the certificate of its signer was not valid')
}
