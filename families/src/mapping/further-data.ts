import type { JsonValue } from '@millseal/proof'
import { isObject } from '../certificate/read-certificate.ts'
import type { FamilyContent } from '../family.ts'
import { placeBlocks } from '../families/generic/place-blocks.ts'
import type { Block, Section } from '../model/document.ts'
import { escapePointer } from '../registry/sub-schemas.ts'
import { isEncoded } from '../model/is-encoded.ts'
import { field, fieldsBlock, headed } from './blocks.ts'
import { visitSections, visitTexts } from './document-texts.ts'
import type { Mapping } from './mapping.ts'

/** Members of any certificate whose values only programs need. */
const sharedForPrograms = ['RefSchemaUrl', 'CertificateLanguages', 'Languages', 'Encoding', 'encoding']

/**
 * What a mapper left out, so that every value of the certificate can be read: groups that the family does not know, with
 * their structure, and single values by the name of their field. What only programs need is in a section of its own.
 * Files and pictures are left out.
 */
export const furtherData = (
  mapping: Mapping,
  content: FamilyContent,
  forPrograms: readonly string[],
): readonly Section[] => {
  const said = startReading()
  visitTexts(content, said.add)
  for (const { base64 } of content.files) said.add(base64)
  const groups = unknownGroups(mapping, { value: mapping.json, name: '', within: undefined }, said)
  visitSections([{ blocks: groups }], said.add)
  const [values, technical]: [Values, Values] = [new Map(), new Map()]
  const namesForPrograms = new Set([...sharedForPrograms, ...forPrograms])
  collectUnsaid(mapping.json, '', { said, values, technical, namesForPrograms })
  const fieldsOf = (unsaid: Values) =>
    [...unsaid].flatMap(([name, texts]) => field(mapping.label(name), [...texts].join(', ')))
  const section = (name: string, role: 'data' | 'technical', blocks: readonly Block[]): readonly Section[] =>
    blocks.length === 0 ? [] : [{ name, title: mapping.label(name), role, blocks }]
  const line = fieldsOf(technical).map((one) => ({ ...one, name: 'TechnicalData' }))
  return [
    ...section('FurtherData', 'data', [...fieldsBlock(fieldsOf(values)), ...groups]),
    ...section('TechnicalData', 'technical', fieldsBlock(line)),
  ]
}

type Place = { readonly value: JsonValue; readonly name: string; readonly within: Place | undefined }

/** The outermost objects and lists of objects without a label of which no value is in the document. */
const unknownGroups = (mapping: Mapping, place: Place, said: Said): readonly Block[] => {
  const found: Block[] = []
  const isList = Array.isArray(place.value)
  const visit = (name: string, value: JsonValue | undefined): void => {
    if (value === undefined || !isGroup(value)) return
    const member = { value, name, within: place }
    if (isList || mapping.hasLabel(name) || isAnySaid(value, said)) {
      found.push(...unknownGroups(mapping, member, said))
      return
    }
    const from = { name, value, pointer: pointerOf(member), schemas: [] }
    found.push(...headed(mapping.label(name), placeBlocks({ mapping, root: {} }, from, 1)))
  }
  if (Array.isArray(place.value))
    for (const [index, value] of place.value.entries()) visit(String(index), value)
  else if (isObject(place.value)) for (const name in place.value) visit(name, place.value[name])
  return found
}

const isGroup = (value: JsonValue): boolean => (Array.isArray(value) ? value.some(isObject) : isObject(value))

const pointerOf = ({ name, within }: Place): string =>
  within === undefined ? '' : `${pointerOf(within)}/${escapePointer(name)}`

const isAnySaid = (value: JsonValue, said: Said): boolean => {
  if (Array.isArray(value)) return value.some((one: JsonValue) => isAnySaid(one, said))
  if (isObject(value)) return Object.values(value).some((one) => isAnySaid(one, said))
  const leaf = leafOf(value)
  return leaf !== '' && (said.isText(leaf) || said.has(leaf))
}

type Values = Map<string, Set<string>>

/** Adds the values that the document does not say, by the names of their fields. */
const collectUnsaid = (
  value: JsonValue,
  name: string,
  to: { said: Said; values: Values; technical: Values; namesForPrograms: ReadonlySet<string> },
): void => {
  const { said } = to
  if (Array.isArray(value)) for (const one of value) collectUnsaid(one, name, to)
  else if (isObject(value)) for (const key in value) collectUnsaid(value[key] ?? null, key, to)
  else if (typeof value !== 'string' || value.length > longestCompared || !said.isText(value)) {
    const leaf = leafOf(value)
    if (leaf === '' || said.has(leaf)) return
    // The document says a boolean in words.
    const isTechnical = typeof value === 'boolean' || to.namesForPrograms.has(name) || uuid.test(leaf)
    const values = isTechnical ? to.technical : to.values
    values.set(name, (values.get(name) ?? new Set()).add(leaf))
  }
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** Most longer values are pictures, whose hash for a set takes longer than to see that they are. */
const longestCompared = 512

/** As it is shown in one line; empty for what is no text to read. */
const leafOf = (value: string | number | boolean | null): string => {
  if (value === null) return ''
  const text = String(value)
  return isEncoded(text) ? '' : inOneLine(text)
}

const inOneLine = (text: string): string =>
  /^\s|\s\s|[^\S ]|\s$/.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text

type Said = {
  /** Whether it is a text of the document, character by character: true for most values. */
  isText(text: string): boolean
  has(leaf: string): boolean
  add(text: string): void
}

/** Characters to search before a value counts as left out unread: showing it twice costs less. */
const maxSearched = 20_000_000

/** Only values that are no text of the document are searched for in all texts, which are put in lines for that. */
const startReading = (): Said => {
  const known = new Set<string>()
  const unsaid = new Set<string>()
  const texts: string[] = []
  const lines: string[] = []
  let [all, searched] = ['', 0]
  const readOn = (): void => {
    if (lines.length === texts.length) return
    unsaid.clear()
    for (const text of texts.slice(lines.length)) {
      const line = inOneLine(text)
      lines.push(line)
      if (line !== text) known.add(line)
    }
    all = lines.join('\n')
  }
  return {
    isText: (text) => known.has(text),
    add: (text) => {
      const before = known.size
      if (known.add(text).size > before) texts.push(text)
    },
    has: (leaf) => {
      readOn()
      if (known.has(leaf)) return true
      if (unsaid.has(leaf)) return false
      searched += all.length
      const isSaid = searched < maxSearched && all.includes(leaf)
      if (isSaid) known.add(leaf)
      else unsaid.add(leaf)
      return isSaid
    },
  }
}
