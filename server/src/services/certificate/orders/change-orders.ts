import { type Deleted, type KeptOrderLine, limits, type operations, type OrderLine } from '@millseal/contract'
import { atPlace, because } from '@millseal/contract/reasons'
import { faultsOfLine, hashOrderLine, itemKey, nameOfLine, orderKey } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { requirementsChanged } from '../certificates/inbox-jobs.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { lineOf } from './compare-order.ts'
import { countLines, findLine, insertLines, retireLines, type StoredLine } from './orders.store.ts'

type KeepCall = Call<typeof operations.keepOrderLines>
type DeleteCall = Call<typeof operations.deleteOrderLine>

export const keepOrderLines = (deps: CertificateDependencies, call: KeepCall): Promise<KeptOrderLine[]> => {
  const { companyId } = call
  const { lines } = call.body
  requireUsable(lines)
  return call.commit(async (tx) => {
    if ((await deps.users.lockCompany(tx, companyId)) === undefined) throw new Problem('not_found')
    const createdAt = new Date(deps.clock.now())
    const rows = lines.map((line) => ({
      id: uuidv7(createdAt.getTime()),
      companyId,
      orderKey: orderKey(line.order),
      itemKey: itemKey(line.item),
      hash: hashOrderLine(line),
      content: JSON.stringify(line),
      inUse: true,
      createdAt,
    }))
    await retireLines(tx, companyId, rows)
    const stored = new Map((await insertLines(tx, rows)).map((row) => [row.hash, row]))
    await requireSpace(tx, companyId)
    await deps.jobs.enqueue(tx, requirementsChanged, { companyId }, { singletonKey: companyId })
    const kept = rows.flatMap(({ hash }) => stored.get(hash) ?? [])
    await record(deps, tx, { call, subject: `orders:${companyId}`, action: 'orders.create', hashes: kept })
    return kept.map(toKeptOrderLine)
  })
}

export const deleteOrderLine = (deps: CertificateDependencies, call: DeleteCall): Promise<Deleted> => {
  const { companyId } = call
  const id = call.params.id.toLowerCase()
  return call.commit(async (tx) => {
    const found = await findLine(tx, { id, companyId })
    if (found?.inUse !== true) throw new Problem('not_found')
    await retireLines(tx, companyId, [found])
    await deps.jobs.enqueue(tx, requirementsChanged, { companyId }, { singletonKey: companyId })
    await record(deps, tx, { call, subject: `order:${id}`, action: 'orders.delete', hashes: [found] })
    return { id }
  })
}

export const toKeptOrderLine = (row: StoredLine): KeptOrderLine => ({
  ...lineOf(row),
  id: row.id,
  hash: row.hash,
  inUse: row.inUse,
  createdAt: row.createdAt.toISOString(),
})

const requireUsable = (lines: readonly OrderLine[]): void => {
  const names = lines.map(({ order, item }) => JSON.stringify([orderKey(order), itemKey(item)]))
  const reasons = lines.flatMap((line, at) => [
    ...faultsOfLine(line).map(({ member, reason }) => atPlace(`/lines/${at}/${member}`, reason)),
    ...(names.indexOf(names[at] ?? '') === at
      ? []
      : [atPlace(`/lines/${at}`, because('order_line_twice', { name: nameOfLine(line) }))]),
  ])
  if (reasons.length > 0) throw new Problem('validation_failed', { reasons })
}

const requireSpace = async (tx: Transaction, companyId: string): Promise<void> => {
  const { inUse, versions } = await countLines(tx, companyId)
  const most = limits.orders.perCompany
  if (inUse <= most.inUse && versions <= most.versions) return
  throw new Problem('order_limit_reached', {
    reasons: [because('order_limit', { most: inUse > most.inUse ? most.inUse : most.versions })],
  })
}

/** So many hashes say which lines they were. */
const mostHashes = 100

const record = (
  { audit }: CertificateDependencies,
  tx: Transaction,
  {
    call: { principal, client, companyId },
    subject,
    action,
    hashes,
  }: {
    readonly call: KeepCall | DeleteCall
    readonly subject: string
    readonly action: string
    readonly hashes: readonly { readonly hash: string }[]
  },
): Promise<void> =>
  audit.write(tx, {
    actor: principalName(principal),
    action,
    subject,
    companyId,
    ipAddress: client.ip,
    details: { lines: hashes.length, hashes: hashes.slice(0, mostHashes).map(({ hash }) => hash) },
  })
