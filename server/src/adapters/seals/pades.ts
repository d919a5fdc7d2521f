import { createHash, createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto'
import type { Mode } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import {
  findSealHole,
  personName,
  type SealCertificates,
  type SealHole,
  writeSeal,
  writeSealAttributes,
} from '@millseal/proof'
import type { Clock } from '../../ports/clock/clock.ts'
import { SealImpossible, type Sealer, type Seals } from '../../ports/seals/seals.ts'
import type { SealKey } from './seal-key.ts'
import type { SoonStamped, StampSoon } from './stamp-soon.ts'

export type SealPlan = {
  readonly companyId: string
  readonly mode: Mode
  readonly certificates: SealCertificates
  readonly key: SealKey
}

/** A signature, and what a SignedData has beside certificates and time stamp. */
const ownBytes = 1_024

/** Seals as PAdES baseline (ETSI EN 319 142-1): docs/seal.md. */
export const createSeals = (
  plans: readonly SealPlan[],
  options: {
    readonly clock: Clock
    readonly stampSoon: StampSoon
    /** The room for a time stamp in bytes; 0 without authorities. */
    readonly stampBytes: number
    readonly onSealed: (level: 'B-B' | 'B-T') => void
  },
): Seals => {
  const sealers = new Map(plans.map((plan) => [placeOf(plan), createSealer(plan, options)]))
  return { find: (of) => sealers.get(placeOf(of)) }
}

const placeOf = ({ companyId, mode }: { readonly companyId: string; readonly mode: Mode }): string =>
  `${mode} ${companyId}`

const createSealer = (
  { certificates, key }: SealPlan,
  { clock, stampSoon, stampBytes, onSealed }: Parameters<typeof createSeals>[1],
): Sealer => {
  const [own] = certificates
  const publicKey = createPublicKey(
    new X509Certificate(own.bytes).publicKey.export({ type: 'spki', format: 'pem' }),
  )
  const [signer, issuer] = [personName(own.subject), personName(own.issuer)]
  const certificateBytes = certificates.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const bytes = ownBytes + certificateBytes + stampBytes
  return {
    openHole() {
      assertValid(certificates, clock.now(), signer)
      return { signer, at: `${new Date(clock.now()).toISOString().slice(0, 19)}Z`, bytes }
    },
    async seal(pdf, { at }, signal) {
      const hole = holeIn(pdf)
      const attributes = writeSealAttributes({
        digest: sha256(hole.before, hole.after),
        certificateDigest: sha256(own.bytes),
      })
      const signature = await signed(attributes, { key, publicKey, signer })
      const stamp = await stampSoon(signature, stampBytes, signal)
      const filling = writeSeal({ attributes, signature, certificates, token: stamp?.token })
      const level = stamp === undefined ? 'B-B' : 'B-T'
      onSealed(level)
      return {
        pdf: filled(pdf, hole, filling),
        seal: { signer, issuer, sealedAt: at, level, stamped: stampedOf(stamp) },
      }
    },
  }
}

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const stampedOf = (stamp: SoonStamped | undefined) =>
  stamp && { before: stamp.stamped.before, authority: stamp.stamped.authority }

const assertValid = (certificates: SealCertificates, now: number, signer: string): void => {
  for (const { notBeforeMs, notAfterMs } of certificates) {
    if (now >= notAfterMs + 1_000)
      throw new SealImpossible(because('seal_expired', { signer, day: dayOf(notAfterMs) }))
    if (now < notBeforeMs)
      throw new SealImpossible(because('seal_not_yet_valid', { signer, day: dayOf(notBeforeMs) }))
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** A token may have another key under this label than when the server started. */
const signed = async (
  attributes: Uint8Array,
  {
    key,
    publicKey,
    signer,
  }: { readonly key: SealKey; readonly publicKey: KeyObject; readonly signer: string },
): Promise<Uint8Array> => {
  const signature = await key(attributes)
  if (!verify('sha256', attributes, publicKey, signature))
    throw new SealImpossible(because('seal_key_other', { signer }))
  return signature
}

/** The PDF with the signature in its hole. Throws if it does not fit, which is a fault of this program. */
const filled = (pdf: Uint8Array, { from, digits }: SealHole, filling: Uint8Array): Uint8Array => {
  const hex = Buffer.from(filling).toString('hex')
  if (hex.length > digits.length)
    throw new Error(`The seal has ${hex.length / 2} bytes, and its hole ${digits.length / 2}`)
  const whole = Buffer.from(pdf)
  whole.write(hex, from, 'latin1')
  return whole
}

const holeIn = (pdf: Uint8Array): SealHole => {
  const hole = findSealHole(pdf)
  if (hole === undefined) throw new Error('The PDF has no hole for a seal')
  return hole
}
