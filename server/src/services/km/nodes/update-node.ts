import type { LedgerNode, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import { recordOperatorChange } from '../record-operator-change.ts'
import { readConnectionUrl } from '../ledgers/connection-url.ts'
import { toNodeResponse } from './node-response.ts'
import { lockNodes, type StoredNode, saveNode } from './nodes.store.ts'

/** Activating a node deactivates the node that was active for the same mode and coin type. */
export const updateNode = async (
  deps: KmDependencies,
  call: Call<typeof operations.updateNode>,
): Promise<LedgerNode> => {
  const { params, body, mode } = call
  const id = params.id.toLowerCase()
  if (body.id !== undefined && body.id.toLowerCase() !== id) throw new Problem('id_mismatch')
  const connectionUrl = body.connectionUrl === undefined ? undefined : readConnectionUrl(body.connectionUrl)
  const changed = await call.commit(async (tx) => {
    const nodes = await lockNodes(tx, mode)
    const node = nodes.find((known) => known.id === id)
    if (node === undefined) throw new Problem('not_found')
    const updatedAt = new Date(deps.clock.now())
    const next: StoredNode = {
      ...node,
      name: body.name ?? node.name,
      connectionUrl: connectionUrl ?? node.connectionUrl,
      status: body.status ?? node.status,
      updatedAt,
    }
    const replaced = next.status === 'active' ? nodes.filter((other) => isReplaced(other, node)) : []
    for (const other of replaced) await saveNode(tx, { ...other, status: 'inactive', updatedAt })
    await saveNode(tx, next)
    const switchedOff = replaced.map((other) => other.id)
    await recordOperatorChange(deps, tx, {
      call,
      action: 'nodes.update',
      subject: `node:${node.id}`,
      details: { mode, before: settingsOf(node), after: settingsOf(next), switchedOff },
    })
    return toNodeResponse(next)
  })
  deps.routing.refresh()
  return changed
}

const isReplaced = (other: StoredNode, { id, coinType }: StoredNode): boolean =>
  other.id !== id && other.coinType === coinType && other.status === 'active'

const settingsOf = ({ name, connectionUrl, status }: StoredNode) => ({ name, connectionUrl, status })
