import { operations } from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import { recordOperatorChange } from '../record-operator-change.ts'
import { createNode } from './create-node.ts'
import { deleteNode, findNode, findNodePage, lockNodes } from './nodes.store.ts'
import { toNodeResponse } from './node-response.ts'
import { probeNode } from './probe-node.ts'
import { updateNode } from './update-node.ts'

export const nodeRoutes = (deps: KmDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createNode, createNode),
    bind(operations.listNodes, async ({ database }, call) => {
      const page = await listPage(
        call,
        (wanted) => findNodePage(database.query, call.query, wanted),
        ({ id }) => id,
      )
      return page.map(toNodeResponse)
    }),
    bind(operations.readNode, async ({ database }, { params, mode }) => {
      const node = await findNode(database.query, { id: params.id, mode })
      if (node === undefined) throw new Problem('not_found')
      return { ...toNodeResponse(node), health: await probeNode(deps, node) }
    }),
    bind(operations.updateNode, updateNode),
    bind(operations.deleteNode, remove),
  ]
}

const remove = async (deps: KmDependencies, call: Call<typeof operations.deleteNode>): Promise<string> => {
  const id = call.params.id.toLowerCase()
  const deleted = await call.commit(async (tx) => {
    const node = (await lockNodes(tx, call.mode)).find((known) => known.id === id)
    if (node === undefined) throw new Problem('not_found')
    await deleteNode(tx, id)
    const { mode, connectionUrl, status } = node
    const details = { mode, connectionUrl, status }
    await recordOperatorChange(deps, tx, { call, action: 'nodes.delete', subject: `node:${id}`, details })
    return id
  })
  deps.routing.refresh()
  return deleted
}
