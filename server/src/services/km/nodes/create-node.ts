import type { LedgerNode, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { lockCoinType } from '../cointypes/cointypes.store.ts'
import { recordOperatorChange } from '../record-operator-change.ts'
import { readConnectionUrl } from './connection-url.ts'
import { toNodeResponse } from './node-response.ts'
import type { NodeDependencies } from './nodes.routes.ts'
import { insertNode, lockNodes } from './nodes.store.ts'

/** A node beside an active one starts inactive: that a network was entered moves no transactions. */
export const createNode =
  (deps: NodeDependencies) =>
  async (call: Call<typeof operations.createNode>): Promise<LedgerNode> => {
    const { body, mode } = call
    const connectionUrl = readConnectionUrl(body.connectionUrl)
    const made = await call.commit(async (tx) => {
      if ((await lockCoinType(tx, body.coinType)) === undefined) {
        throw new Problem('coin_type_unsupported', {
          details: ['/coinType is not a coin type of this service'],
        })
      }
      const others = await lockNodes(tx, mode)
      const hasActive = others.some(
        ({ coinType, status }) => coinType === body.coinType && status === 'active',
      )
      const now = deps.clock.now()
      const node = await insertNode(
        tx,
        {
          id: uuidv7(now),
          name: body.name,
          coinType: body.coinType,
          mode,
          connectionUrl,
          status: hasActive ? 'inactive' : 'active',
        },
        new Date(now),
      )
      await recordOperatorChange(deps.audit, tx, {
        by: call,
        change: {
          action: 'nodes.create',
          subject: `node:${node.id}`,
          details: { mode, connectionUrl, status: node.status },
        },
      })
      return toNodeResponse(node)
    })
    deps.routing.forget()
    return made
  }
