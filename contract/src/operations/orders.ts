import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Deleted } from '../shapes/common.ts'
import { KeepOrderLines, KeptOrderLine, OrderQuery } from '../shapes/orders.ts'

/** In both modes the same. */
const orders = {
  service: 'certificate-service',
  variant: 'current',
  access: 'bearer',
  company: 'required',
} as const

export const keepOrderLines = operation({
  ...orders,
  id: 'orders.create',
  method: 'POST',
  path: '/order-lines',
  summary: 'Keep order lines',
  description: `All of them or none. A line with an order and item that exist replaces that line from now on; the one before stays, and is found by its hash. Open entries of the desk are compared again. A company can have ${limits.orders.perCompany.inUse} lines in use.`,
  scope: [{ resource: 'orders', action: 'create_many' }],
  memberRole: 'clerk',
  body: { kind: 'json', schema: KeepOrderLines },
  answer: { kind: 'json', status: 201, schema: Type.Array(KeptOrderLine) },
  errors: ['order_limit_reached'],
})

export const listOrderLines = operation({
  ...orders,
  id: 'orders.list',
  method: 'GET',
  path: '/order-lines',
  summary: 'List the order lines of the company',
  description: 'Those in use, newest first. With `hash`, the line that has it.',
  scope: [{ resource: 'orders', action: 'read_many' }],
  query: OrderQuery,
  answer: { kind: 'json', status: 200, schema: Type.Array(KeptOrderLine) },
  list: true,
})

export const readOrderLine = operation({
  ...orders,
  id: 'orders.read',
  method: 'GET',
  path: '/order-lines/{id}',
  summary: 'Read an order line',
  scope: [{ resource: 'orders', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: KeptOrderLine },
})

export const deleteOrderLine = operation({
  ...orders,
  id: 'orders.delete',
  method: 'DELETE',
  path: '/order-lines/{id}',
  summary: 'Take an order line out of use',
  description:
    'No certificate is compared with it any more. It stays readable by its id and its hash, because decisions name the hash.',
  scope: [{ resource: 'orders', action: 'delete_one' }],
  memberRole: 'clerk',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Deleted },
})
