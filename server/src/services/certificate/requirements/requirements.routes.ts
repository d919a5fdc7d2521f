import {
  type KeptRequirement,
  type ListedRequirement,
  operations,
  type RequirementRules,
  requirementSchema,
} from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { deleteRequirement, keepRequirement } from './change-requirement.ts'
import { changeRules } from './change-rules.ts'
import { checkCertificate } from './check-certificate.ts'
import { toKeptRequirement, toListedRequirement } from './requirement-response.ts'
import { findRequirement, findRequirementPage } from './requirements.store.ts'
import { findRules } from './rules.store.ts'

export const requirementRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.checkCertificate, checkCertificate),
    bind(operations.keepRequirement, keepRequirement),
    bind(operations.listRequirements, listRequirements),
    bind(operations.readRequirement, readRequirement),
    bind(operations.deleteRequirement, deleteRequirement),
    bind(operations.readRequirementRules, readRules),
    bind(operations.keepRequirementRules, changeRules),
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

const readRules = async (
  { database }: CertificateDependencies,
  { companyId }: Call<typeof operations.readRequirementRules>,
): Promise<RequirementRules> => ({ rules: [...(await findRules(database.query, companyId))] })

const readRequirement = async (
  { database }: CertificateDependencies,
  { companyId, params }: Call<typeof operations.readRequirement>,
): Promise<KeptRequirement> => {
  const found = await findRequirement(database.query, { id: params.id, companyId })
  if (found === undefined) throw new Problem('not_found')
  return toKeptRequirement(found)
}
