import { isObject, type JsonObject } from '../../certificate/read-certificate.ts'
import { textAt } from '../../certificate/shown.ts'
import type { Section } from '../../model/document.ts'
import { section } from '../../mapping/blocks.ts'
import type { FamilyContent } from '../../family.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import { childrenOf, labelOf, type Place, scalarText, type Walk } from './place.ts'
import { placeBlocks, scalarFields } from './place-blocks.ts'

/** Maps a certificate by its labels, the titles in its schema and its structure. */
export const mapGeneric = (mapping: Mapping, schema: JsonObject): FamilyContent => {
  const walk: Walk = { mapping, root: schema }
  const top = childrenOf(walk, { name: '', value: mapping.json, schemas: [schema], pointer: '' })
  const shown = top.filter(({ name }) => name !== 'RefSchemaUrl')
  const [only] = shown
  const places =
    shown.length === 1 && only !== undefined && isObject(only.value) ? childrenOf(walk, only) : shown
  const title = textAt(schema, 'title')
  return {
    title: title === undefined ? mapping.label('InspectionDocument') : [title],
    number: firstText(places, ['Id', 'Number', 'CertificateNumber']),
    date: firstText(places, ['Date', 'IssueDate', 'DateOfIssue']),
    parties: [],
    sections: sectionsOf(walk, places),
    files: [],
  }
}

const firstText = (places: readonly Place[], names: readonly string[]): string | undefined =>
  names
    .map((name) => textAt(places.find((place) => place.name === name)?.value))
    .find((text) => text !== undefined)

const sectionsOf = (walk: Walk, places: readonly Place[]): readonly Section[] => {
  const blocks = scalarFields(walk, places)
  return [
    ...(blocks.length === 0 ? [] : [{ blocks }]),
    ...places
      .filter(({ value }) => scalarText(walk, value) === undefined)
      .flatMap((place) => section(labelOf(walk, place), placeBlocks(walk, place, 1))),
  ]
}
