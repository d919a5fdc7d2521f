import { operations } from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { importPack } from './import-pack.ts'

export const packRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.importPack, importPack),
    bind(operations.listPacks, async ({ packs }) =>
      (await packs.list()).map(({ name, importedAt, schemas }) => ({
        name,
        importedAt,
        schemas: schemas.map((schema) => ({ ...schema, urls: [...schema.urls] })),
      })),
    ),
    bind(operations.removePack, remove),
  ]
}

const remove = async (
  { packs, audit }: CertificateDependencies,
  call: Call<typeof operations.removePack>,
): Promise<string> => {
  const { name } = call.params
  return call.commit(async (tx) => {
    await audit.write(tx, {
      actor: principalName(call.principal),
      ipAddress: call.client.ip,
      action: 'packs.remove',
      subject: `pack:${name}`,
    })
    if (!(await packs.remove(tx, name))) throw new Problem('not_found')
    return name
  })
}
