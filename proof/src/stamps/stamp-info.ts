import { readHash } from './algorithms.ts'
import { context, type DerValue, readDer, tags } from './der.ts'
import { openFields, smallOf } from './fields.ts'
import { StampRefused } from './stamp-refused.ts'
import { type Instant, readGeneralizedTime } from './times.ts'

/** TSTInfo of RFC 3161 §2.4.2. */
export type StampInfo = {
  readonly imprint: { readonly hash: 'SHA-256' | 'SHA-384' | 'SHA-512'; readonly digest: Uint8Array }
  readonly time: Instant
  /** How far the clock of the authority may be off, in microseconds; 0 if it does not say. */
  readonly accuracyMicros: number
  readonly nonce: Uint8Array | undefined
}

const what = 'content'
/** Of `[0]` to `[1]` in Accuracy, and of `tsa` and `extensions` in TSTInfo. */
const primitive = (number: number): number => 0x80 + number

export const readStampInfo = (bytes: Uint8Array): StampInfo => {
  const fields = openFields(readDer(bytes), what)
  if (smallOf(fields.take(tags.integer), what) !== 1)
    throw new StampRefused('The time stamp has an unknown version')
  fields.take(tags.oid)
  const imprint = openFields(fields.take(tags.sequence), what)
  const hash = readHash(imprint.take(tags.sequence)).name
  const digest = imprint.take(tags.octetString).content
  imprint.end()
  fields.take(tags.integer)
  const time = readGeneralizedTime(fields.take(tags.generalizedTime))
  const accuracyMicros = readAccuracy(fields.takeIf(tags.sequence))
  // DER leaves out what is the default.
  if (fields.takeIf(tags.boolean)?.content[0] === 0)
    throw new StampRefused(`The time stamp has an unusable ${what}`)
  const nonce = fields.takeIf(tags.integer)?.content
  fields.takeIf(context(0))
  assertExtensions(fields.takeIf(context(1)))
  fields.end()
  return { imprint: { hash, digest }, time, accuracyMicros, nonce }
}

const readAccuracy = (value: DerValue | undefined): number => {
  if (value === undefined) return 0
  const fields = openFields(value, what)
  const seconds = fields.takeIf(tags.integer)
  const small = [primitive(0), primitive(1)].map((tag) => {
    const part = fields.takeIf(tag)
    const number = part === undefined ? 0 : smallOf(part, what)
    if (number > 999) throw new StampRefused(`The time stamp has an unusable ${what}`)
    return number
  })
  fields.end()
  const [millis = 0, micros = 0] = small
  return (seconds === undefined ? 0 : smallOf(seconds, what)) * 1_000_000 + millis * 1_000 + micros
}

const assertExtensions = (value: DerValue | undefined): void => {
  for (const extension of value?.parts ?? []) {
    const fields = openFields(extension, what)
    fields.take(tags.oid)
    const critical = fields.takeIf(tags.boolean)
    fields.take(tags.octetString)
    fields.end()
    if (critical !== undefined)
      throw new StampRefused('The time stamp has a critical extension, which is unknown')
  }
}
