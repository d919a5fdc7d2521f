import {
  type KeptRequirement,
  type ListedRequirement,
  operations,
  requirementSchema,
} from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { deleteRequirement, keepRequirement } from './change-requirement.ts'
import { checkCertificate } from './check-certificate.ts'
import { toKeptRequirement, toListedRequirement } from './requirement-response.ts'
import { findRequirement, findRequirementPage } from './requirements.store.ts'

export const requirementRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.checkCertificate, checkCertificate),
    bind(operations.keepRequirement, keepRequirement),
    bind(operations.listRequirements, listRequirements),
    bind(operations.readRequirement, readRequirement),
    bind(operations.deleteRequirement, deleteRequirement),
    bind(operations.readRequirementSchema, async () => ({ ...requirementSchema })),
  ]
}

const listRequirements = async (
  { database }: CertificateDependencies,
  call: Call<typeof operations.listRequirements>,
): Promise<ListedRequirement[]> => {
  const filter = { companyId: call.companyId, hash: call.query.hash }
  const found = await listPage(
    call,
    (page) => findRequirementPage(database.query, filter, page),
    ({ id }) => id,
  )
  return found.map(toListedRequirement)
}

const readRequirement = async (
  { database }: CertificateDependencies,
  { companyId, params }: Call<typeof operations.readRequirement>,
): Promise<KeptRequirement> => {
  const found = await findRequirement(database.query, { id: params.id, companyId })
  if (found === undefined) throw new Problem('not_found')
  return toKeptRequirement(found)
}
