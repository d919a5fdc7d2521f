import type { JsonValue } from '@millseal/proof'
import { createRegistry, readCertificate, type SchemaEntry, toDocument, validate } from '../src/index.ts'
import { realCertificates, underOwnSchema } from './real-certificates.ts'

/**
 * The valid published certificates of EN 10168 v0.5.0, under our own schema: all values of certificate number n differ
 * from those of all others.
 */
export const openVariedCertificates = async () => {
  const valid = realCertificates().filter(({ name }) => name.startsWith('en10168/v0.5.0/valid_'))
  const texts = valid.map(underOwnSchema)
  if (texts[0] === undefined) throw new Error('The published certificates are missing')
  const url = readCertificate(texts[0]).refSchemaUrl
  const entry = await createRegistry({ log: { warn: () => {} } }).find(url)
  if (entry === undefined) throw new Error(`There is no schema ${url}`)
  const size = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  const models = texts.map((text) => openModel(JSON.parse(text.toString()) as JsonValue, entry))
  const first = JSON.parse(texts[0].toString()) as Inspected
  const make = (number: number): Buffer => vary(models[number % models.length] as Model, number)
  return {
    entry,
    make,
    makeMany: (count: number): Buffer[] => Array.from({ length: count }, (_, number) => make(number)),
    /** The same for the first certificate with other chemical compositions. */
    openComposed: (heats: number, elements: number) => {
      const model = openModel(composed(first, heats, elements), entry)
      return (number: number): Buffer => vary(model, number)
    },
    what: `published certificate of ${Math.round(size / 1_000)} KB`,
    /** As a notarization asks a rendering process for its PDF. */
    toRequest: (certificateBytes: Buffer) => {
      const certificate = readCertificate(certificateBytes)
      const { hash } = certificate
      const [document, verifyUrl] = [toDocument(certificate, entry), `https://example.org/verify/${hash}`]
      return { mode: 'live' as const, isDraft: false, document, certificateBytes, hash, verifyUrl }
    },
  }
}

type Inspected = {
  readonly Certificate: {
    readonly Inspection: { readonly ChemicalComposition: Readonly<Record<string, JsonValue>> }
  }
}

/** The codes of elements begin with C71. */
const composed = ({ Certificate, ...rest }: Inspected, heats: number, elements: number): JsonValue => {
  const { Inspection } = Certificate
  const { C70 = '', C71 = '' } = Inspection.ChemicalComposition
  const codes = Array.from({ length: elements }, (_, element) => `C${71 + element}`)
  const ChemicalComposition = { C70, ...Object.fromEntries(codes.map((code) => [code, C71])) }
  const inspections = Array.from({ length: heats }, (_, heat) => ({
    ...(heat === 0 ? Inspection : {}),
    C00: `H-${heat + 1}`,
    ChemicalComposition,
  }))
  return { ...rest, Certificate: { ...Certificate, Inspection: inspections } }
}

/** The values at the pointers in `fixed` stay as they are: another value would make the certificate invalid. */
type Model = { readonly json: JsonValue; readonly fixed: Set<string> }

/** Finds out by validating which values are fixed. */
const openModel = (json: JsonValue, entry: SchemaEntry): Model => {
  const model: Model = { json, fixed: new Set(['/RefSchemaUrl']) }
  for (let trial = 0, valid = 0; valid < 6; trial += 1) {
    const faults = validate(readCertificate(vary(model, trial)), entry).map(({ pointer }) => `${pointer}/`)
    valid = faults.length === 0 ? valid + 1 : 0
    // That no alternative fits says less than what is wrong deeper inside.
    const deepest = faults.filter((one) => !faults.some((other) => other !== one && other.startsWith(one)))
    mapLeaves(json, (leaf, pointer) => {
      if (deepest.some((one) => `${pointer}/`.startsWith(one))) model.fixed.add(pointer)
      return leaf
    })
  }
  return model
}

/** The same JSON with other leaves. */
const mapLeaves = (
  value: JsonValue,
  map: (leaf: JsonValue, pointer: string) => JsonValue,
  at = '',
): JsonValue => {
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => mapLeaves(item, map, `${at}/${index}`))
  if (typeof value !== 'object' || value === null) return map(value, at)
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>)
  return Object.fromEntries(members.map(([key, member]) => [key, mapLeaves(member, map, `${at}/${key}`)]))
}

/** The same certificate for the same number. */
const vary = ({ json, fixed }: Model, number: number): Buffer => {
  let state = number + 1
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const varied = mapLeaves(json, (leaf, pointer) => {
    if (fixed.has(pointer)) return leaf
    if (typeof leaf === 'number') return Number(varyText(String(leaf), random))
    return typeof leaf === 'string' ? varyText(leaf, random) : leaf
  })
  return Buffer.from(JSON.stringify(varied))
}

const classes = ['aeiou', 'bcdfghklmnprstvw', 'AEIOU', 'BCDFGHKLMNPRSTVW', '123456789'] as const
const picture = 'data:image/png;base64,'

/** The length, case and form of a text stay: a vowel becomes a vowel, and a date stays a date. */
const varyText = (text: string, random: (below: number) => number): string => {
  // The picture looks the same and has other bytes.
  if (text.startsWith(picture)) {
    const bytes = Buffer.from(text.slice(picture.length), 'base64')
    return picture + Buffer.concat([bytes, Buffer.from(String(random(1e9)))]).toString('base64')
  }
  const two = (below: number) => String(1 + random(below)).padStart(2, '0')
  if (/^\d{4}-\d\d-\d\d/.test(text)) return `20${two(24)}-${two(12)}-${two(28)}${text.slice(10)}`
  return text.replaceAll(/[a-z1-9]/gi, (letter) => {
    const alike = classes.find((characters) => characters.includes(letter))
    return alike?.charAt(random(alike.length)) ?? letter
  })
}
