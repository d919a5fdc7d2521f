import { type KeptOrderLine, operations } from '@millseal/contract'
import { orderKey } from '@millseal/families'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { deleteOrderLine, keepOrderLines, toKeptOrderLine } from './change-orders.ts'
import { findLine, findLinePage } from './orders.store.ts'

export const orderRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.keepOrderLines, keepOrderLines),
    bind(operations.listOrderLines, listOrderLines),
    bind(operations.readOrderLine, readOrderLine),
    bind(operations.deleteOrderLine, deleteOrderLine),
  ]
}

const listOrderLines = async (
  { database }: CertificateDependencies,
  call: Call<typeof operations.listOrderLines>,
): Promise<KeptOrderLine[]> => {
  const { order, hash } = call.query
  const filter = {
    companyId: call.companyId,
    hash,
    orderKey: order === undefined ? undefined : orderKey(order),
  }
  const found = await listPage(
    call,
    (page) => findLinePage(database.query, filter, page),
    ({ id }) => id,
  )
  return found.map(toKeptOrderLine)
}

const readOrderLine = async (
  { database }: CertificateDependencies,
  { companyId, params }: Call<typeof operations.readOrderLine>,
): Promise<KeptOrderLine> => {
  const found = await findLine(database.query, { id: params.id, companyId })
  if (found === undefined) throw new Problem('not_found')
  return toKeptOrderLine(found)
}
