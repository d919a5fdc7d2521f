import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import type { LedgerRouting } from '../ledgers/routing.ts'
import { recordOperatorChange } from '../record-operator-change.ts'
import { createNode } from './create-node.ts'
import { findNode, findNodePage, lockNodes, removeNode } from './nodes.store.ts'
import { toNodeResponse } from './node-response.ts'
import { probeNode } from './probe-node.ts'
import { updateNode } from './update-node.ts'

export type NodeDependencies = Pick<KmDependencies, 'database' | 'clock' | 'audit' | 'ledgers'> & {
  readonly routing: Pick<LedgerRouting, 'forget'>
}

export const nodeRoutes = (deps: NodeDependencies): readonly Binding[] => [
  bind(operations.createNode, createNode(deps)),
  bind(operations.listNodes, async (call) => {
    const page = await listPage(
      call,
      (wanted) => findNodePage(deps.database.query, call.query, wanted),
      ({ id }) => id,
    )
    return page.map(toNodeResponse)
  }),
  bind(operations.readNode, async ({ params, mode }) => {
    const node = await findNode(deps.database.query, { id: params.id, mode })
    if (node === undefined) throw new Problem('not_found')
    return { ...toNodeResponse(node), health: await probeNode(deps, node) }
  }),
  bind(operations.updateNode, updateNode(deps)),
  bind(operations.deleteNode, async (call) => {
    const id = call.params.id.toLowerCase()
    const deleted = await call.commit(async (tx) => {
      const node = (await lockNodes(tx, call.mode)).find((known) => known.id === id)
      if (node === undefined) throw new Problem('not_found')
      await removeNode(tx, id)
      await recordOperatorChange(deps.audit, tx, {
        by: call,
        change: {
          action: 'nodes.delete',
          subject: `node:${id}`,
          details: { mode: node.mode, connectionUrl: node.connectionUrl, status: node.status },
        },
      })
      return id
    })
    deps.routing.forget()
    return deleted
  }),
]
