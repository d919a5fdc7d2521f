import { type Deleted, type KeptRequirement, limits, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { hashRequirement } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { type Principal, principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { requirementsChanged } from '../certificates/inbox-jobs.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { readSent, resolveIn } from './read-requirement.ts'
import { toKeptRequirement } from './requirement-response.ts'
import {
  countRequirements,
  findRequirement,
  insertRequirement,
  retireRequirement,
} from './requirements.store.ts'

export const keepRequirement = (
  deps: CertificateDependencies,
  call: Call<typeof operations.keepRequirement>,
): Promise<KeptRequirement> => {
  const requirement = readSent(call.body, '')
  const { companyId } = call
  const { name } = requirement
  return call.commit(async (tx) => {
    if ((await deps.users.lockCompany(tx, companyId)) === undefined) throw new Problem('not_found')
    await resolveIn(tx, { requirement, companyId, place: '' })
    await retireRequirement(tx, { companyId, name })
    const createdAt = new Date(deps.clock.now())
    const kept = await insertRequirement(tx, {
      id: uuidv7(createdAt.getTime()),
      companyId,
      name,
      hash: hashRequirement(requirement),
      content: JSON.stringify(requirement),
      inUse: true,
      createdAt,
    })
    const { inUse, versions } = await countRequirements(tx, companyId)
    const most = limits.requirementsPerCompany
    if (inUse > most.inUse || versions > most.versions)
      throw new Problem('requirement_limit_reached', {
        reasons: [because('requirement_limit', { most: inUse > most.inUse ? most.inUse : most.versions })],
      })
    await deps.jobs.enqueue(tx, requirementsChanged, { companyId }, { singletonKey: companyId })
    await record(deps, tx, { call, id: kept.id, action: 'requirements.create', details: { hash: kept.hash } })
    return toKeptRequirement(kept)
  })
}

export const deleteRequirement = (
  deps: CertificateDependencies,
  call: Call<typeof operations.deleteRequirement>,
): Promise<Deleted> => {
  const { companyId } = call
  const id = call.params.id.toLowerCase()
  return call.commit(async (tx) => {
    const found = await findRequirement(tx, { id, companyId })
    if (found?.inUse !== true) throw new Problem('not_found')
    await retireRequirement(tx, { companyId, name: found.name })
    await deps.jobs.enqueue(tx, requirementsChanged, { companyId }, { singletonKey: companyId })
    await record(deps, tx, { call, id, action: 'requirements.delete', details: { hash: found.hash } })
    return { id }
  })
}

const record = (
  { audit }: CertificateDependencies,
  tx: Transaction,
  {
    call: { principal, client, companyId },
    id,
    action,
    details,
  }: {
    readonly call: {
      readonly principal: Principal
      readonly client: { readonly ip: string }
      readonly companyId: string
    }
    readonly id: string
    readonly action: string
    readonly details: { readonly hash: string }
  },
): Promise<void> =>
  audit.write(tx, {
    actor: principalName(principal),
    action,
    subject: `requirement:${id}`,
    companyId,
    ipAddress: client.ip,
    details,
  })
