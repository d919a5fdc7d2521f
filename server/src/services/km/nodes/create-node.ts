import type { LedgerNode, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { lockCoinType } from '../cointypes/cointypes.store.ts'
import type { KmDependencies } from '../dependencies.ts'
import { recordOperatorChange } from '../record-operator-change.ts'
import { readConnectionUrl } from '../ledgers/connection-url.ts'
import { toNodeResponse } from './node-response.ts'
import { insertNode, lockNodes } from './nodes.store.ts'

/** A new node starts inactive if another is active, so adding a network does not redirect transactions. */
export const createNode = async (
  deps: KmDependencies,
  call: Call<typeof operations.createNode>,
): Promise<LedgerNode> => {
  const { name, coinType } = call.body
  const { mode } = call
  const connectionUrl = readConnectionUrl(call.body.connectionUrl)
  const created = await call.commit(async (tx) => {
    if ((await lockCoinType(tx, coinType)) === undefined) {
      throw new Problem('coin_type_unsupported', {
        reasons: [because('coin_type_unknown', { place: '/coinType' })],
      })
    }
    const others = await lockNodes(tx, mode)
    const hasActive = others.some((other) => other.coinType === coinType && other.status === 'active')
    const status = hasActive ? 'inactive' : 'active'
    const now = deps.clock.now()
    const times = { createdAt: new Date(now), updatedAt: new Date(now) }
    const node = await insertNode(tx, {
      id: uuidv7(now),
      name,
      coinType,
      mode,
      connectionUrl,
      status,
      ...times,
    })
    await recordOperatorChange(deps, tx, {
      call,
      action: 'nodes.create',
      subject: `node:${node.id}`,
      details: { mode, connectionUrl, status },
    })
    return toNodeResponse(node)
  })
  deps.routing.refresh()
  return created
}
