import type { JsonValue } from '../json/read.ts'
import { ownerOf } from '../ledger/owners.fixture.ts'
import { portablePrimitives as primitives } from '../primitives.ts'
import { encodeHex } from '../encoding/hex.ts'
import { utf8 } from '../encoding/bytes.ts'
import type { FileHash } from '../verification/check-file.ts'
import type { Confirmation } from '../verification/confirmation.ts'
import type { Reading } from '../verification/status-age.ts'
import { createTestLog, didOfOwner, record } from './log.fixture.ts'

/** One question to a verifier, and the verdict that every implementation must give. */
export type Vector = {
  readonly name: string
  readonly file: FileHash
  readonly bundle: JsonValue
  readonly policy: JsonValue
  readonly verdict: string
} & Asked &
  Confirmed

/** When it is asked, by default at 06:00 on the day of the fixtures, and how old a status may be. */
export type Asked = { readonly now?: string; readonly maxStatusAgeDays?: number }

/** Who stands for it, if the vector says so, and before when it was recorded by their clocks. */
type Confirmed = { readonly confirmedBy?: Confirmation['by']; readonly before?: string }

export const readingOf = ({ now = '2026-11-22T06:00:00.000Z', maxStatusAgeDays }: Asked): Reading => ({
  now: new Date(now),
  maxStatusAgeDays,
})

/** A question whose files are given by their bytes, in base64, where their text matters. */
export type CorpusCase = {
  readonly name: string
  readonly file: FileHash | { readonly bytes: string }
  readonly verdict: string
} & Asked &
  Confirmed &
  ({ readonly bundle: JsonValue } | { readonly bundleBytes: string }) &
  ({ readonly policy: JsonValue } | { readonly policyBytes: string })

export const sha256 = (text: string): string => encodeHex(primitives.sha256(utf8(text)))
/** The files that the vectors are about, by their kind. */
export const files = {
  json: '{"certificate":"as JSON"}',
  pdf: '%PDF-1.7\nthe PDF of a certificate\n',
} as const
export const jsonHash = sha256(files.json)
export const pdfHash = sha256(files.pdf)
const json: FileHash = { kind: 'json', hash: jsonHash }
export const pdf: FileHash = { kind: 'pdf', hash: pdfHash }
export const at = (minute: number): string => `2026-11-22T05:${String(minute).padStart(2, '0')}:00.000Z`

export const mill = ownerOf(1)
export const thief = ownerOf(2)
export const recovery = ownerOf(3)
export const did = didOfOwner(mill)

export const identityOf = (owner = mill, more: Readonly<Record<string, string>> = {}) =>
  record(owner, {
    type: 'identity',
    did: didOfOwner(owner),
    publicKey: owner.publicKey,
    company: 'Rolling Mill “Grüße” 1',
    vatId: 'DE123456789',
    ...more,
  })

export const reviewOf = (by: typeof mill, owner = mill, more: Readonly<Record<string, string>> = {}) =>
  record(by, {
    type: 'review',
    did: didOfOwner(owner),
    company: 'Rolling Mill “Grüße” 1',
    vatId: 'DE123456789',
    reviewedAt: at(2),
    evidence: sha256('evidence'),
    ...more,
  })

export const correct = (by: typeof mill, members: Readonly<Record<string, string>>) =>
  record(by, { type: 'correction', reason: 'Wrong heat number\u0007', ...members })

/** A log with a published and reviewed mill, some other entries, and its certificate as the last one. */
export const openLog = (origin = 'mill.example/ledger/live') => {
  const log = createTestLog(origin)
  const identity = log.add(identityOf(mill, { recoveryDid: didOfOwner(recovery) }), at(1))
  const review = log.add(reviewOf(log.operator), at(2))
  for (const owner of [11, 12, 13]) log.add(identityOf(ownerOf(owner)), at(3))
  const certificate = log.add(record(mill, { jsonHash, pdfHash }, { timestamp: at(9) }), at(10))
  return { log, identity, review, certificate, known: { identity, review } }
}
export type Opened = ReturnType<typeof openLog>

export const policyOf = ({ log }: Opened, more: { readonly [name: string]: JsonValue } = {}): JsonValue => ({
  logs: [log.vkey],
  ...more,
})

export const one =
  (
    name: string,
    verdict: string,
    prepare: (opened: Opened) => Promise<Partial<Vector> & { readonly bundle: JsonValue }>,
    origin?: string,
  ): (() => Promise<Vector>) =>
  async () => {
    const opened = openLog(origin)
    const { file = json, bundle, policy = policyOf(opened), ...asked } = await prepare(opened)
    return { name, file, bundle, policy, ...asked, verdict }
  }

/** The bundle after these corrections were recorded, from minute 20 on. */
export const after = async (
  { log, certificate, known }: Opened,
  ...corrections: ReturnType<typeof record>[]
): Promise<{ readonly bundle: JsonValue }> => {
  for (const [place, correction] of corrections.entries()) log.add(correction, at(20 + place))
  return { bundle: await log.bundle(certificate, known, at(50)) }
}

export const members = (bundle: JsonValue): { readonly [key: string]: JsonValue } => {
  if (typeof bundle !== 'object' || bundle === null || Array.isArray(bundle)) throw new TypeError('No bundle')
  return bundle
}

export const asJson = (value: object): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue

export const assetOf = ({ asset }: ReturnType<typeof record>): Readonly<Record<string, string>> =>
  ('data' in asset ? asset.data : {}) as Record<string, string>
