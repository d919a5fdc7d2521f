import type { Block, DocumentModel } from '../model/document.ts'
import type { Mapping } from './mapping.ts'

type From = { readonly value: string | undefined; readonly pointer: string; readonly name: string }

export const pictureBlocks = (mapping: Mapping, from: From): readonly Block[] => {
  const picture = pictureOf(mapping, from)
  return picture === undefined ? [] : [{ kind: 'picture', picture }]
}

export const pictureOf = (mapping: Mapping, { value, pointer, name }: From): DocumentModel['logo'] =>
  value === undefined ? undefined : mapping.picture(value, { pointer, alternative: mapping.label(name) })
