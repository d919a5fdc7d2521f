import { type Static, Type } from 'typebox'
import { output, ReasonShape, Timestamp } from './common.ts'

const packName = /^pack-[0-9a-f]{16}$/

export const byPackName = Type.Object({
  name: Type.String({ pattern: packName.source, maxLength: 21, description: 'The name of a pack' }),
})

const PackedSchema = output('PackedSchemaDto', {
  type: Type.String(),
  version: Type.String(),
  id: Type.String({ description: 'Its `$id`' }),
  urls: Type.Array(Type.String(), { description: 'All names that certificates can use for it' }),
  hasTranslations: Type.Boolean(),
})

const pack = {
  name: Type.String({ description: 'A digest of the content' }),
  importedAt: Timestamp,
  schemas: Type.Array(PackedSchema),
}

export const Pack = output('PackDto', pack)
export type Pack = Static<typeof Pack>

const RefusedFile = output('RefusedFileDto', {
  file: Type.String(),
  reasons: Type.Array(Type.String()),
  because: Type.Optional(
    Type.Array(ReasonShape, {
      description: 'The code and the values of each of the reasons, in their order',
    }),
  ),
})

export const PackImport = output('PackImportDto', {
  ...pack,
  refused: Type.Array(RefusedFile, { description: 'What was not imported, and why' }),
})
export type PackImport = Static<typeof PackImport>
