import type { JsonValue } from '@millseal/proof'
import { isObject } from '../certificate/read-certificate.ts'
import type { FamilyContent } from '../family.ts'
import { placeBlocks } from '../families/generic/place-blocks.ts'
import type { Block, Section } from '../model/document.ts'
import { escapePointer } from '../registry/sub-schemas.ts'
import { isEncoded } from '../model/is-encoded.ts'
import { field, fieldsBlock, headed } from './blocks.ts'
import { documentTexts } from './document-texts.ts'
import type { Mapping } from './mapping.ts'

/**
 * What a mapper left out, so that every value of the certificate can be read: groups that the family does not know, with
 * their structure, and single values by the name of their field. Files and pictures are left out.
 */
export const furtherData = (mapping: Mapping, content: FamilyContent): readonly Section[] => {
  const said = startReading(documentTexts(content))
  said.add(content.files.map(({ base64 }) => base64))
  const groups = unknownGroups(mapping, { value: mapping.json, pointer: '' }, said)
  said.add(documentTexts({ sections: [{ blocks: groups }] }))
  const values = new Map<string, Set<string>>()
  visitLeaves(mapping.json, '', (name, leaf) => {
    if (!said.has(leaf)) values.set(name, (values.get(name) ?? new Set()).add(leaf))
  })
  const fields = [...values].flatMap(([name, texts]) => field(mapping.label(name), [...texts].join(', ')))
  const blocks = [...fieldsBlock(fields), ...groups]
  const name = 'FurtherData'
  return blocks.length === 0 ? [] : [{ name, title: mapping.label(name), role: 'data', blocks }]
}

/** The outermost objects and lists of objects without a label of which no value is in the document. */
const unknownGroups = (
  mapping: Mapping,
  place: { value: JsonValue; pointer: string },
  said: Said,
): readonly Block[] =>
  typeof place.value !== 'object' || place.value === null
    ? []
    : Object.entries(place.value).flatMap(([name, value]) => {
        const isGroup = isObject(value) || (Array.isArray(value) && value.some(isObject))
        if (!isGroup) return []
        const pointer = `${place.pointer}/${escapePointer(name)}`
        if (Array.isArray(place.value) || mapping.hasLabel(name) || isAnySaid(value, said))
          return unknownGroups(mapping, { value, pointer }, said)
        const walk = { mapping, root: {} }
        return headed(mapping.label(name), placeBlocks(walk, { name, value, pointer, schemas: [] }, 1))
      })

const isAnySaid = (value: JsonValue, said: Said): boolean => {
  let isSaid = false
  visitLeaves(value, '', (_, leaf) => {
    isSaid ||= said.has(leaf)
  })
  return isSaid
}

const visitLeaves = (value: JsonValue, name: string, visit: (name: string, leaf: string) => void): void => {
  if (Array.isArray(value)) for (const one of value) visitLeaves(one, name, visit)
  else if (isObject(value)) for (const [key, one] of Object.entries(value)) visitLeaves(one, key, visit)
  else if (value !== null) {
    const text = String(value)
    const leaf = isEncoded(text) ? '' : inOneLine(text)
    if (leaf !== '') visit(name, leaf)
  }
}

const inOneLine = (text: string): string =>
  /\s\s|[^\S ]/.test(text) ? text.replaceAll(/\s+/g, ' ').trim() : text.trim()

type Said = {
  has(leaf: string): boolean
  add(texts: Iterable<string>): void
}

/** Characters to search before a value counts as left out unread: showing it twice costs less. */
const maxSearched = 20_000_000

/** Most values are a text of the document; only the others are searched for in all texts. */
const startReading = (texts: Iterable<string>): Said => {
  const known = new Set<string>()
  let all = ''
  let searched = 0
  const add = (more: Iterable<string>): void => {
    for (const text of more) {
      const line = inOneLine(text)
      if (known.has(line)) continue
      known.add(line)
      all += `\n${line}`
    }
  }
  add(texts)
  return {
    add,
    has: (leaf) => {
      if (known.has(leaf)) return true
      searched += all.length
      const isSaid = searched < maxSearched && all.includes(leaf)
      if (isSaid) known.add(leaf)
      return isSaid
    },
  }
}
