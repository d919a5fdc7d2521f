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

/**
 * What a mapper left out, so that every value of the certificate can be read: groups that the family does not know, with
 * their structure, and single values by the name of their field. Files and pictures are left out.
 */
export const furtherData = (mapping: Mapping, content: FamilyContent): readonly Section[] => {
  const said = startReading()
  visitTexts(content, said.add)
  for (const { base64 } of content.files) said.add(base64)
  const groups = unknownGroups(mapping, { value: mapping.json, path: [] }, said)
  visitSections([{ blocks: groups }], said.add)
  const values = new Map<string, Set<string>>()
  someLeaf(mapping.json, '', (name, leaf) => {
    if (!said.has(leaf)) values.set(name, (values.get(name) ?? new Set()).add(leaf))
    return false
  })
  const fields = [...values].flatMap(([name, texts]) => field(mapping.label(name), [...texts].join(', ')))
  const blocks = [...fieldsBlock(fields), ...groups]
  const name = 'FurtherData'
  return blocks.length === 0 ? [] : [{ name, title: mapping.label(name), role: 'data', blocks }]
}

/** The outermost objects and lists of objects without a label of which no value is in the document. */
const unknownGroups = (
  mapping: Mapping,
  place: { value: JsonValue; path: readonly string[] },
  said: Said,
): readonly Block[] => {
  if (typeof place.value !== 'object' || place.value === null) return []
  const isList = Array.isArray(place.value)
  const found: Block[] = []
  for (const [name, value] of Object.entries<JsonValue>(place.value)) {
    const isGroup = isObject(value) || (Array.isArray(value) && value.some(isObject))
    if (!isGroup) continue
    const path = [...place.path, name]
    if (isList || mapping.hasLabel(name) || isAnySaid(value, said)) {
      found.push(...unknownGroups(mapping, { value, path }, said))
      continue
    }
    const pointer = path.map((one) => `/${escapePointer(one)}`).join('')
    const inGroup = placeBlocks({ mapping, root: {} }, { name, value, pointer, schemas: [] }, 1)
    found.push(...headed(mapping.label(name), inGroup))
  }
  return found
}

const isAnySaid = (value: JsonValue, said: Said): boolean => someLeaf(value, '', (_, leaf) => said.has(leaf))

/** Whether a leaf passes the test; visits no further ones then. */
const someLeaf = (
  value: JsonValue,
  name: string,
  passes: (name: string, leaf: string) => boolean,
): boolean => {
  if (Array.isArray(value)) return value.some((one: JsonValue) => someLeaf(one, name, passes))
  if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) if (someLeaf(member, key, passes)) return true
    return false
  }
  if (value === null) return false
  const text = String(value)
  const leaf = isEncoded(text) ? '' : inOneLine(text)
  return leaf !== '' && passes(name, leaf)
}

const inOneLine = (text: string): string =>
  /^\s|\s\s|[^\S ]|\s$/.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text

type Said = {
  has(leaf: string): boolean
  add(text: string): void
}

/** Characters to search before a value counts as left out unread: showing it twice costs less. */
const maxSearched = 20_000_000

/** Most values are a text of the document; only the others are searched for in all texts. */
const startReading = (): Said => {
  const known = new Set<string>()
  const lines: string[] = []
  let [all, joined, searched] = ['', 0, 0]
  return {
    add: (text) => {
      if (known.has(text)) return
      const line = inOneLine(text)
      known.add(text)
      if (line !== text) known.add(line)
      lines.push(line)
    },
    has: (leaf) => {
      if (known.has(leaf)) return true
      if (joined < lines.length) all = lines.join('\n')
      joined = lines.length
      searched += all.length
      const isSaid = searched < maxSearched && all.includes(leaf)
      if (isSaid) known.add(leaf)
      return isSaid
    },
  }
}
