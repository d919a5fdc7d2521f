import { crc32 } from 'node:zlib'
import type { JsonValue } from '@millseal/proof'
import { createRegistry, readCertificate, type SchemaEntry, validate } from '../../families/src/index.ts'
import {
  realCertificates,
  underOwnSchema,
  withoutRealCertificates,
} from '../../families/test/real-certificates.ts'
import type { Report } from './row.ts'

export type Published = {
  readonly entry: SchemaEntry
  /** Certificate number n: a published one in which every value differs from those of all other numbers. */
  readonly make: (number: number) => Buffer
  readonly kilobytes: number
}

/** How much of a text may change: the schema decides. */
type Change = 'letters and digits' | 'digits' | 'nothing'
type Model = { readonly json: JsonValue; readonly changes: Map<string, Change> }

const validTrials = 6

/**
 * The valid published certificates of EN 10168 v0.5.0, under our own schema. They are not part of the project: without
 * them this reports what is missing and resolves with undefined.
 */
export const openPublished = async (report: Report): Promise<Published | undefined> => {
  const certificates = withoutRealCertificates
    ? []
    : realCertificates().filter(({ name }) => name.startsWith('en10168/v0.5.0/valid_'))
  if (certificates.length === 0) {
    report.skip('the published certificates are missing: ../shared/data/certificates')
    return undefined
  }
  const log = { warn: (_: object, message: string) => void process.stderr.write(`${message}\n`) }
  const texts = certificates.map(underOwnSchema)
  const url = readCertificate(texts[0] ?? Buffer.alloc(0)).refSchemaUrl
  const entry = await createRegistry({ packFolders: [], log }).find(url)
  if (entry === undefined) throw new Error(`There is no schema ${url}`)
  const models = texts.map((text) => openModel(JSON.parse(text.toString()) as JsonValue, entry))
  return {
    entry,
    make: (number) => {
      const model = models[number % models.length]
      if (model === undefined) throw new Error('There is no published certificate')
      return vary(model, number)
    },
    kilobytes: Math.round(texts.reduce((sum, { length }) => sum + length, 0) / texts.length / 1_000),
  }
}

/** Finds out by validating which values may change how far. */
const openModel = (json: JsonValue, entry: SchemaEntry): Model => {
  const model: Model = { json, changes: new Map([['/RefSchemaUrl', 'nothing']]) }
  for (let trial = 0, valid = 0; valid < validTrials; trial += 1) {
    if (trial > 200) throw new Error('The variations of a published certificate do not become valid')
    const pointers = validate(readCertificate(vary(model, trial)), entry).map(({ pointer }) => `${pointer}/`)
    valid = pointers.length === 0 ? valid + 1 : 0
    // That no alternative fits says less than what is wrong deeper inside.
    const deepest = pointers.filter(
      (one) => !pointers.some((other) => other !== one && other.startsWith(one)),
    )
    for (const leaf of leavesOf(json).filter((pointer) =>
      deepest.some((one) => `${pointer}/`.startsWith(one)),
    ))
      model.changes.set(leaf, model.changes.get(leaf) === 'digits' ? 'nothing' : 'digits')
  }
  return model
}

const leavesOf = (value: JsonValue, pointer = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => leavesOf(member, `${pointer}/${key}`))
    : [pointer]

const vary = ({ json, changes }: Model, number: number): Buffer => {
  const random = randomFrom(number)
  const walk = (value: JsonValue, pointer: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item: JsonValue, index) => walk(item, `${pointer}/${index}`))
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value as Readonly<Record<string, JsonValue>>)
      return Object.fromEntries(members.map(([key, member]) => [key, walk(member, `${pointer}/${key}`)]))
    }
    const change = changes.get(pointer) ?? 'letters and digits'
    if (change === 'nothing') return value
    if (typeof value === 'number') return Number(varyText(String(value), 'digits', random))
    return typeof value === 'string' ? varyText(value, change, random) : value
  }
  return Buffer.from(JSON.stringify(walk(json, '')))
}

type Random = (below: number) => number

/** The same sequence for the same number. */
const randomFrom = (number: number): Random => {
  let state = number + 1
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const classes = ['aeiou', 'bcdfghklmnprstvw', 'AEIOU', 'BCDFGHKLMNPRSTVW', '123456789'] as const
const picture = 'data:image/png;base64,'

/** The length, case and form of a text stay: a vowel becomes a vowel, and a date stays a date. */
const varyText = (text: string, change: Change, random: Random): string => {
  if (text.startsWith(picture)) return varyPicture(text, random)
  const two = (below: number) => String(1 + random(below)).padStart(2, '0')
  if (/^\d{4}-\d\d-\d\d/.test(text)) return `20${two(24)}-${two(12)}-${two(28)}${text.slice(10)}`
  const letters = change === 'digits' ? /[1-9]/g : /[a-z1-9]/gi
  return text.replaceAll(letters, (letter) => {
    const alike = classes.find((characters) => characters.includes(letter))
    return alike?.charAt(random(alike.length)) ?? letter
  })
}

/** The picture looks the same and has other bytes: a comment before its last chunk. */
const varyPicture = (text: string, random: Random): string => {
  const bytes = Buffer.from(text.slice(picture.length), 'base64')
  const body = Buffer.from(`tEXtComment\0${random(1e9)}`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  const end = bytes.length - 12
  const varied = [bytes.subarray(0, end), length, body, checksum, bytes.subarray(end)]
  return picture + Buffer.concat(varied).toString('base64')
}
