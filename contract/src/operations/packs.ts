import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { byPackName, Pack, PackImport } from '../shapes/packs.ts'

const packs = { service: 'certificate-service', variant: 'current', access: 'user', admin: true } as const

export const importPack = operation({
  ...packs,
  id: 'packs.import',
  method: 'POST',
  path: '/certificates/packs',
  summary: 'Import certificate schemas',
  description:
    'Takes a zip or gzipped tar archive of a repository of published schemas, and imports every `schema.json` with its labels. Schemas that cannot be used are listed with the reasons; the others can be named by certificates within a second. Importing the same schemas again changes nothing.',
  scope: [{ resource: 'packs', action: 'create_one' }],
  body: { kind: 'document', accepts: ['application/zip', 'application/gzip'] },
  answer: { kind: 'json', status: 201, schema: PackImport },
  errors: ['pack_rejected'],
})

export const listPacks = operation({
  ...packs,
  id: 'packs.list',
  method: 'GET',
  path: '/certificates/packs',
  summary: 'List imported schemas',
  description: 'Oldest first. If two packs have the same schema, the later one is used.',
  scope: [{ resource: 'packs', action: 'read_many' }],
  answer: { kind: 'json', status: 200, schema: Type.Array(Pack) },
})

export const removePack = operation({
  ...packs,
  id: 'packs.remove',
  method: 'DELETE',
  path: '/certificates/packs/{name}',
  summary: 'Remove imported schemas',
  description: 'Returns the name. Certificates that were notarized stay as they are.',
  scope: [{ resource: 'packs', action: 'delete_one' }],
  params: byPackName,
  answer: { kind: 'json', status: 200, schema: byPackName.properties.name },
})
