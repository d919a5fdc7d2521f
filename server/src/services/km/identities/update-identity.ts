import type { Identity, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { actorOf } from '../actor.ts'
import type { KmDependencies } from '../dependencies.ts'
import { toIdentityResponses } from './identity-response.ts'
import { lockIdentity, saveIdentityName } from '../keys/identities.store.ts'

export const updateIdentity = async (
  { audit, clock }: KmDependencies,
  call: Call<typeof operations.updateIdentity>,
): Promise<Identity> => {
  const { params, body, companyId, mode } = call
  if (body.id !== undefined && body.id.toLowerCase() !== params.id.toLowerCase())
    throw new Problem('id_mismatch')
  const name = body.name?.trim() ?? null
  return call.commit(async (tx) => {
    const before = await lockIdentity(tx, { id: params.id, companyId })
    if (before?.mode !== mode) throw new Problem('not_found')
    const stored =
      name === before.name
        ? before
        : await saveIdentityName(tx, before.id, { name, updatedAt: new Date(clock.now()) })
    if (stored !== before)
      await audit.write(tx, {
        ...actorOf(call),
        action: 'identities.update',
        subject: `identity:${before.id}`,
        companyId,
        details: { mode, name },
      })
    const [response] = await toIdentityResponses(tx, [stored])
    if (response === undefined) throw new Problem('not_found')
    return response
  })
}
