import { type CompanyLook, operations } from '@millseal/contract'
import { type Binding, bindTo, type Call, type Content } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { deleteLogo, deleteLook, updateLogo, updateLook } from './change-look.ts'
import { rowToResponse, toLookResponse } from './look-settings.ts'
import { findStoredLook, listStoredLooks } from './looks.store.ts'
import { receiverKey } from './receiver-key.ts'

export const lookRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.listLooks, async ({ database }, { companyId }) =>
      (await listStoredLooks(database.query, companyId)).map(toLookResponse),
    ),
    bind(operations.readLook, readLook),
    bind(operations.updateLook, updateLook),
    bind(operations.deleteLook, deleteLook),
    bind(operations.readLogo, readLogo),
    bind(operations.updateLogo, updateLogo),
    bind(operations.deleteLogo, deleteLogo),
  ]
}

const readLook = async (
  { database }: CertificateDependencies,
  { companyId, query }: Call<typeof operations.readLook>,
): Promise<CompanyLook> => {
  const row = await findStoredLook(database.query, { companyId, receiver: receiverKey(query.receiver) })
  return row === undefined ? {} : rowToResponse(row)
}

const readLogo = async (
  { database }: CertificateDependencies,
  { companyId, query }: Call<typeof operations.readLogo>,
): Promise<Content> => {
  const row = await findStoredLook(database.query, { companyId, receiver: receiverKey(query.receiver) })
  if (!row?.logo || row.logoType === null) throw new Problem('not_found')
  return { type: row.logoType, bytes: row.logo }
}
