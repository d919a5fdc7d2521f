import type { LedgerNode, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { recordOperatorChange } from '../record-operator-change.ts'
import { readConnectionUrl } from './connection-url.ts'
import { toNodeResponse } from './node-response.ts'
import type { NodeDependencies } from './nodes.routes.ts'
import { lockNodes, type StoredNode, saveNode } from './nodes.store.ts'

/** Switching a node on switches the one off that was active for its mode and coin type. */
export const updateNode =
  (deps: NodeDependencies) =>
  async (call: Call<typeof operations.updateNode>): Promise<LedgerNode> => {
    const { params, body, mode } = call
    const id = params.id.toLowerCase()
    if (body.id !== undefined && body.id.toLowerCase() !== id) throw new Problem('id_mismatch')
    const connectionUrl = body.connectionUrl === undefined ? undefined : readConnectionUrl(body.connectionUrl)
    const changed = await call.commit(async (tx) => {
      const nodes = await lockNodes(tx, mode)
      const node = nodes.find((known) => known.id === id)
      if (node === undefined) throw new Problem('not_found')
      const now = new Date(deps.clock.now())
      const next: StoredNode = {
        ...node,
        name: body.name ?? node.name,
        connectionUrl: connectionUrl ?? node.connectionUrl,
        status: body.status ?? node.status,
        updatedAt: now,
      }
      const replaced = next.status === 'active' ? nodes.filter((other) => isReplaced(other, node)) : []
      for (const other of replaced) await saveNode(tx, { ...other, status: 'inactive' }, now)
      await saveNode(tx, next, now)
      await recordOperatorChange(deps.audit, tx, {
        by: call,
        change: {
          action: 'nodes.update',
          subject: `node:${node.id}`,
          details: {
            mode,
            before: described(node),
            after: described(next),
            switchedOff: replaced.map((other) => other.id),
          },
        },
      })
      return toNodeResponse(next)
    })
    deps.routing.forget()
    return changed
  }

const isReplaced = (other: StoredNode, { id, coinType }: StoredNode): boolean =>
  other.id !== id && other.coinType === coinType && other.status === 'active'

const described = ({ name, connectionUrl, status }: StoredNode) => ({ name, connectionUrl, status })
