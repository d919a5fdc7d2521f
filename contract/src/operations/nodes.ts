import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { byId, Id, KnownCoinType } from '../shapes/common.ts'
import { CreateNode, LedgerNode, UpdateNode } from '../shapes/networks.ts'

const nodes = { service: 'km-service', variant: 'both', mode: 'query' } as const

export const createNode = operation({
  ...nodes,
  id: 'nodes.create',
  method: 'POST',
  path: '/nodes',
  summary: 'Add a ledger node',
  description:
    'A node is the embedded ledger or the URL of a network. Transactions of a mode and coin type go to its active node. If one is already active, the new node is inactive.',
  access: 'user',
  scope: [{ resource: 'nodes', action: 'create_one' }],
  admin: true,
  body: { kind: 'json', schema: CreateNode },
  answer: { kind: 'json', status: 201, schema: LedgerNode },
  errors: ['coin_type_unsupported'],
})

export const listNodes = operation({
  ...nodes,
  id: 'nodes.list',
  method: 'GET',
  path: '/nodes',
  summary: 'List the ledger nodes',
  access: 'bearer',
  scope: [{ resource: 'nodes', action: 'read_many' }],
  query: Type.Object({ coinType: Type.Optional(KnownCoinType) }),
  answer: { kind: 'json', status: 200, schema: Type.Array(LedgerNode) },
  list: true,
})

export const readNode = operation({
  ...nodes,
  id: 'nodes.read',
  method: 'GET',
  path: '/nodes/{id}',
  summary: 'Read a ledger node and its health',
  access: 'bearer',
  scope: [{ resource: 'nodes', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: LedgerNode },
})

export const updateNode = operation({
  ...nodes,
  id: 'nodes.update',
  method: 'PUT',
  alsoMethods: ['PATCH'],
  path: '/nodes/{id}',
  summary: 'Change a ledger node',
  description:
    'Activating a node deactivates the one that was active. Transactions recorded on an inactive node can still be found.',
  access: 'user',
  scope: [{ resource: 'nodes', action: 'update_one' }],
  admin: true,
  params: byId,
  body: { kind: 'json', schema: UpdateNode },
  answer: { kind: 'json', status: 200, schema: LedgerNode },
  errors: ['id_mismatch'],
})

export const deleteNode = operation({
  ...nodes,
  id: 'nodes.delete',
  method: 'DELETE',
  path: '/nodes/{id}',
  summary: 'Remove a ledger node',
  description: 'Returns the id.',
  access: 'user',
  scope: [{ resource: 'nodes', action: 'delete_one' }],
  admin: true,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Id },
})
