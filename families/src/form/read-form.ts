import type { JsonObject } from '../certificate/read-certificate.ts'
import { at, listAt, textAt, textsAt } from '../certificate/shown.ts'
import { labelsOf } from '../families/index.ts'
import { alternatives, certainly, schemasOf } from '../families/generic/schema-lookup.ts'
import { documentLabels } from '../labels/document-labels.ts'
import { createLabeler } from '../labels/labels.ts'
import type { SchemaEntry } from '../registry/schema-entry.ts'
import { type MarkedCertificate, markSchema } from './mark-schema.ts'
import { type Paper, readPaper } from './paper-order.ts'
import { partyPlaces } from './party-places.ts'
import { createPlaceLabeler } from './place-labels.ts'

/** Language → text; `code` is the number of the field in the standard. */
export type FormLabel = Readonly<Record<string, string>>

/** What a form for certificates of a schema is drawn from. */
export type CertificateForm = {
  readonly labels: Readonly<Record<string, FormLabel>>
  readonly groups: readonly {
    readonly name: string | undefined
    readonly label: FormLabel | undefined
    readonly fields: readonly string[]
  }[]
  /** The pointers of the companies that receive a certificate. */
  readonly parties: readonly string[]
  readonly template: JsonObject
}

type Drawn = {
  readonly marked: MarkedCertificate
  readonly paper: Paper
  readonly parties: readonly string[]
}

type Wanted = {
  readonly languages: readonly string[]
  /** The id of the new certificate. */
  readonly id: string
}

const drawn = new WeakMap<SchemaEntry, Drawn>()

export const readForm = (entry: SchemaEntry, { languages, id }: Wanted): CertificateForm => {
  const { marked, paper, parties } = drawn.get(entry) ?? draw(entry)
  const sources = [entry.labels, labelsOf(entry.family), documentLabels]
  const labelers = languages.map((language) => [language, createLabeler([language], sources)] as const)
  const atPlaces = languages.map(
    (language) => [language, createPlaceLabeler({ language, sources, places: marked.places })] as const,
  )
  const codeOf = (name: string): FormLabel => (paper.codes.has(name) ? { code: name } : {})
  const labelAt = (place: string): FormLabel => ({
    ...codeOf(place.slice(place.indexOf('/') + 1)),
    ...Object.fromEntries(atPlaces.map(([language, label]) => [language, label(place)])),
  })
  const titleOf = (name: string): FormLabel => ({
    ...codeOf(name),
    ...Object.fromEntries(labelers.map(([language, { label }]) => [language, label(name).join(' / ')])),
  })
  return {
    labels: Object.fromEntries([...marked.places.keys()].map((place) => [place, labelAt(place)])),
    groups: paper.groups.map(({ name, fields }) => ({
      name,
      label: name !== undefined && labelers[0]?.[1].hasLabel(name) === true ? titleOf(name) : undefined,
      fields,
    })),
    parties,
    template: templateOf(entry, { languages, id }),
  }
}

const draw = (entry: SchemaEntry): Drawn => {
  const marked = markSchema(entry.schema)
  const made = { marked, paper: readPaper(marked, entry), parties: partyPlaces(marked, entry) }
  drawn.set(entry, made)
  return made
}

const languageNames = ['CertificateLanguages', 'Languages']
const maxLanguages = 2

/** The groups that the schema requires, empty, and what a person need not type. */
const templateOf = ({ id: RefSchemaUrl, schema }: SchemaEntry, { languages, id }: Wanted): JsonObject => {
  const known = {
    RefSchemaUrl,
    Uuid: id,
    DocumentMetadata: { id, version: 1, state: 'draft' },
  }
  const filled = Object.entries(known).filter(([name]) => at(schema, 'properties', name) !== undefined)
  const groups = requiredGroups(schema, [schema], languages)
  return { ...Object.fromEntries(filled), ...groups }
}

const requiredGroups = (
  root: JsonObject,
  schemas: readonly JsonObject[],
  languages: readonly string[],
): JsonObject => {
  const certain = schemas.flatMap((schema) => certainly(root, schema))
  const required = new Set(certain.flatMap((schema) => textsAt(schema, 'required')))
  return Object.fromEntries(
    [...required].flatMap((name): [string, JsonObject | string[]][] => {
      const own = schemasOf(root, certain, name)
      const inner = own.flatMap((schema) => alternatives(root, schema))
      if (languageNames.includes(name)) return [[name, allowedLanguages(root, inner, languages)]]
      const isGroup = inner.some((schema) => at(schema, 'properties') !== undefined)
      // A list, or a text instead of the group.
      const isElse = inner.some((schema) => ![undefined, 'object'].includes(textAt(schema, 'type')))
      return isGroup && !isElse ? [[name, requiredGroups(root, own, languages)]] : []
    }),
  )
}

const allowedLanguages = (
  root: JsonObject,
  schemas: readonly JsonObject[],
  languages: readonly string[],
): string[] => {
  const allowed = schemasOf(root, schemas, undefined).flatMap((schema) =>
    alternatives(root, schema).flatMap((one) => listAt(one, 'enum').map(String)),
  )
  const wanted = languages.map((language) => language.toUpperCase())
  const fitting = wanted.filter((language) => allowed.length === 0 || allowed.includes(language))
  return (fitting.length === 0 ? ['EN'] : fitting).slice(0, maxLanguages)
}
