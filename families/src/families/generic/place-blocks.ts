import { isObject } from '../../certificate/read-certificate.ts'
import { textAt } from '../../certificate/shown.ts'
import { splitName } from '../../labels/labels.ts'
import type { Block, Text } from '../../model/document.ts'
import { field, fieldsBlock, headed, joinText, table } from '../../mapping/blocks.ts'
import {
  childrenOf,
  elementsOf,
  isBlank,
  isEncodedPicture,
  labelOf,
  type Place,
  scalarText,
  type Walk,
} from './place.ts'

const maxDepth = 6

/** Scalars become fields, arrays of flat objects become tables, anything else becomes a heading with its content. */
export const placeBlocks = (walk: Walk, place: Place, depth: number): readonly Block[] => {
  if (depth > maxDepth) return fieldsBlock(field(labelOf(walk, place), '…'))
  if (isEncodedPicture(place.value)) return [pictureBlock(walk, place)]
  if (Array.isArray(place.value)) return listBlocks(walk, place, depth)
  const inner = childrenOf(walk, place)
  return [
    ...scalarFields(walk, inner),
    ...inner
      .filter(({ value }) => scalarText(walk, value) === undefined)
      .flatMap((child) => headed(labelOf(walk, child), placeBlocks(walk, child, depth + 1))),
  ]
}

export const scalarFields = (walk: Walk, places: readonly Place[]): readonly Block[] =>
  fieldsBlock(places.flatMap((place) => field(labelOf(walk, place), scalarText(walk, place.value))))

const pictureBlock = ({ mapping }: Walk, { value, name, pointer }: Place): Block => ({
  kind: 'picture',
  picture: mapping.picture(textAt(value) ?? '', { pointer, alternative: [splitName(name)] }),
})

const listBlocks = (walk: Walk, place: Place, depth: number): readonly Block[] => {
  const rows = elementsOf(walk, place)
  const flat = rows.map((row) => flatten(walk, row))
  if (!flat.every((cells) => cells !== undefined)) {
    return rows.flatMap((row) => headed([row.name], placeBlocks(walk, row, depth + 1)))
  }
  const columns = new Map(flat.flatMap((cells) => [...cells].map(([name, { label }]) => [name, label])))
  return table(
    [...columns].map(([name, label]) => ({ label, cells: flat.map((cells) => cells.get(name)?.text) })),
  )
}

type Cell = { readonly label: Text; readonly text: string | undefined }

/** The cells of a row; an object of scalars becomes one cell. Undefined if the object is nested more deeply. */
const flatten = (walk: Walk, row: Place): ReadonlyMap<string, Cell> | undefined => {
  if (!isObject(row.value)) return undefined
  const cells = new Map<string, Cell>()
  for (const child of childrenOf(walk, row)) {
    if (isBlank(child.value)) continue
    const text = scalarText(walk, child.value) ?? joinedLeaves(walk, child)
    if (text === undefined) return undefined
    cells.set(child.name, { label: labelOf(walk, child), text })
  }
  return cells
}

const joinedLeaves = (walk: Walk, place: Place): string | undefined => {
  if (!isObject(place.value)) return undefined
  const leaves = childrenOf(walk, place)
    .filter(({ value }) => !isBlank(value))
    .map(({ value }) => scalarText(walk, value))
  return leaves.every((text) => text !== undefined) ? joinText(leaves, ' · ') : undefined
}
