import { VaultUnavailable } from '../../../ports/vault/vault.ts'
import { type Cryptoki, describeFailure } from './cryptoki.ts'

/** A private key of the token by its label, and the SHA-256 of what it signs. */
export type TokenSignature = {
  readonly label: string
  readonly kind: 'rsa' | 'ec'
  readonly digest: Uint8Array
}

/** The head of a DigestInfo with SHA-256: RFC 8017 §9.2, note 1. */
const digestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex')
/** An RSA key of 4096 bits, or two coordinates of P-384. */
const mostBytes = 512

/** Signs with a private key that others made in the token: it is found by its label, and never leaves the token. */
export const signDigest = (
  { cryptoki, session }: { readonly cryptoki: Cryptoki; readonly session: Buffer },
  { label, kind, digest }: TokenSignature,
): Uint8Array => {
  const { pkcs11, constants } = cryptoki
  const key = findKey({ cryptoki, session }, label)
  try {
    if (kind === 'rsa') {
      pkcs11.C_SignInit(session, { mechanism: constants.CKM_RSA_PKCS }, key)
      return pkcs11.C_Sign(session, Buffer.concat([digestInfo, digest]), Buffer.alloc(mostBytes))
    }
    pkcs11.C_SignInit(session, { mechanism: constants.CKM_ECDSA }, key)
    const halves = pkcs11.C_Sign(session, Buffer.from(digest), Buffer.alloc(mostBytes))
    const middle = halves.length / 2
    return sequence(integer(halves.subarray(0, middle)), integer(halves.subarray(middle)))
  } catch (cause) {
    throw new VaultUnavailable(describeFailure(`The PKCS#11 token does not sign with ${label}`, cause), {
      cause,
    })
  }
}

const findKey = (
  { cryptoki, session }: { readonly cryptoki: Cryptoki; readonly session: Buffer },
  label: string,
): Buffer => {
  const { pkcs11, constants } = cryptoki
  pkcs11.C_FindObjectsInit(session, [
    { type: constants.CKA_CLASS, value: constants.CKO_PRIVATE_KEY },
    { type: constants.CKA_LABEL, value: label },
  ])
  try {
    const [key, ...others] = pkcs11.C_FindObjects(session, 2)
    if (key === undefined)
      throw new VaultUnavailable(`The PKCS#11 token has no private key with the label ${label}`)
    if (others.length > 0)
      throw new VaultUnavailable(`The PKCS#11 token has several private keys with the label ${label}`)
    return key
  } finally {
    pkcs11.C_FindObjectsFinal(session)
  }
}

/** In DER: without needless zeros, and not negative. */
const integer = (bytes: Buffer): Buffer => {
  const first = bytes.findIndex((octet) => octet !== 0)
  const shortest = bytes.subarray(first)
  const positive = (shortest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), shortest]) : shortest
  return Buffer.concat([Buffer.of(0x02, positive.length), positive])
}

const sequence = (...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(0x30, content.length), content])
}
