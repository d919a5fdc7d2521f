import { operations, type Suppression } from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { UserDependencies } from '../dependencies.ts'
import {
  deleteSuppression,
  findSuppression,
  findSuppressionPage,
  type StoredSuppression,
} from './suppressions.store.ts'

export const mailingRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.listSuppressions, async ({ database }, call) => {
      const found = await listPage(
        call,
        (page) => findSuppressionPage(database.query, call.companyId, page),
        ({ id }) => id,
      )
      return found.map(toResponse)
    }),
    bind(operations.deleteSuppression, lift),
  ]
}

/** Only the receiver can undo an unsubscription; a company can only say that an address works again. */
const lift = async (
  { audit }: UserDependencies,
  { companyId, params, principal, client, commit }: Call<typeof operations.deleteSuppression>,
): Promise<{ id: string }> => {
  const id = params.suppressionId.toLowerCase()
  return commit(async (tx) => {
    const found = await findSuppression(tx, { companyId, id })
    if (found === undefined) throw new Problem('not_found')
    if (found.reason === 'unsubscribed') throw new Problem('unsubscribed_by_receiver')
    await deleteSuppression(tx, id)
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'suppressions.delete',
      subject: `suppression:${id}`,
      companyId,
      ipAddress: client.ip,
      details: { reason: found.reason },
    })
    return { id }
  })
}

const toResponse = ({ id, address, reason, detail, createdAt }: StoredSuppression): Suppression => ({
  id,
  createdAt: createdAt.toISOString(),
  address,
  reason,
  detail: detail ?? undefined,
})
