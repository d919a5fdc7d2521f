import { readCertificate } from '../certificate/read-certificate.ts'
import { visitTexts } from '../mapping/document-texts.ts'
import type { DocumentModel, Section } from '../model/document.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'
import { toDocument } from '../to-document.ts'
import { inBrief } from './in-brief.ts'
import { type MarkedCertificate, marksIn } from './mark-schema.ts'

export type PaperGroup = {
  /** The name of its label; undefined for the head of the paper. */
  readonly name: string | undefined
  /** Pointers. One stands for all fields below it, in the order of the schema. */
  readonly fields: readonly string[]
}

export type Paper = {
  readonly groups: readonly PaperGroup[]
  /** The codes that are printed beside fields. */
  readonly codes: ReadonlySet<string>
}

/** The names of the groups that are no sections. */
const parties = 'Parties'
const files = 'Attachments'
const rest = 'FurtherData'

/** Makes the document of a marked certificate and reads from it which group shows each field, and in which order. */
export const readPaper = ({ json, leaves }: MarkedCertificate, entry: SchemaEntry): Paper => {
  const bytes = Buffer.from(JSON.stringify({ ...json, RefSchemaUrl: entry.id }))
  const document = toDocument(readCertificate(bytes), entry)
  const sections = document.sections.filter(({ role }) => role !== 'data' && role !== 'technical')
  const codes = codesOf({ ...document, sections })
  const placed = placeMarks({ ...document, sections })
  const order = [undefined, parties, ...sections.map(({ name }) => name ?? rest), files, rest]
  const places = withUnmarked(leaves, placed)
  const groups = [...new Set(order)].flatMap((name) => {
    const fields = inBrief(
      places.map((place) => ({ ...place, isHere: place.name === name })),
      codes,
    )
    return fields.length === 0 ? [] : [{ name, fields }]
  })
  return { groups, codes }
}

type Placed = { readonly name: string | undefined; readonly rank: number }

/** By mark. What the head shows too has its place below. */
const placeMarks = (document: DocumentModel): ReadonlyMap<number, Placed> => {
  const placed = new Map<number, Placed>()
  const place = (name: string | undefined, part: Partial<DocumentModel>): void =>
    visitTexts(part, (text) => {
      for (const mark of marksIn(text)) if (!placed.has(mark)) placed.set(mark, { name, rank: placed.size })
    })
  place(parties, { parties: document.parties })
  for (const section of document.sections) place(section.name ?? rest, { sections: [section] })
  place(files, { files: document.files })
  place(undefined, { ...document, parties: [], sections: [], files: [] })
  return placed
}

/**
 * The place of every leaf. What cannot be marked, such as a choice or a picture, follows the marked leaf that is nearest
 * in the schema.
 */
const withUnmarked = (
  leaves: readonly string[],
  placed: ReadonlyMap<number, Placed>,
): readonly (Placed & { readonly pointer: string })[] => {
  const marked = [...placed.keys()].toSorted((one, other) => one - other)
  return leaves.map((pointer, index) => {
    const own = placed.get(index)
    if (own !== undefined) return { ...own, pointer }
    const before = marked.findLast((mark) => mark < index)
    const after = marked.find((mark) => mark > index)
    const shared = (mark: number | undefined): number =>
      mark === undefined ? 0 : commonParts(leaves[mark] ?? '', pointer)
    const [nearest, offset] = shared(after) > shared(before) ? [after, -0.5] : [before, 0.5]
    const neighbour = placed.get(nearest ?? -1)
    // Only the root of the certificate in common.
    if (neighbour === undefined || shared(nearest) < 2)
      return { name: rest, rank: placed.size + index, pointer }
    return { name: neighbour.name, rank: neighbour.rank + offset, pointer }
  })
}

const commonParts = (one: string, other: string): number => {
  const [left, right] = [one.split('/').slice(1), other.split('/').slice(1)]
  const differing = left.findIndex((part, at) => part !== right[at])
  return differing === -1 ? left.length : differing
}

const codesOf = ({ parties: named, sections }: DocumentModel): ReadonlySet<string> =>
  new Set([...named.flatMap(({ code }) => code ?? []), ...sections.flatMap(codesIn)])

const codesIn = ({ blocks }: Section): readonly string[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'fields') return block.fields.flatMap(({ code }) => code ?? [])
    return block.kind === 'table' ? block.table.columns.flatMap(({ code }) => code ?? []) : []
  })
