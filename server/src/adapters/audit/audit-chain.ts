import { sql } from 'kysely'
import type { AuditChain, ChainFault, ChainHead } from '../../ports/audit/audit-chain.ts'
import type { Clock } from '../../ports/clock/clock.ts'
import { bytesArray } from '../../ports/database/bytes-array.ts'
import type { Query } from '../../ports/database/database.ts'
import { type Archived, findArchived } from './audit-archive.ts'
import { hex, linkHash, noHash } from './link-hash.ts'
import { countWaiting, type ChainedRow, findUnchained, findVanished, readChain } from './read-chain.ts'

const batchSize = 1_000
type Link = Pick<ChainedRow, 'position' | 'hash' | 'chainedAt'>
const start: Link = { position: 0, hash: noHash, chainedAt: new Date(0) }

export const createAuditChain = ({ clock }: { readonly clock: Clock }): AuditChain => ({
  async extend(database) {
    for (let total = 0; ; ) {
      const count = await database.transaction((tx) => extendOnce(tx, clock))
      total += count
      if (count < batchSize) return total
    }
  },
  async head(query) {
    const last = await findLast(query)
    return last && { position: last.position, hash: hex(last.hash) }
  },
  async hashAt(query, position) {
    const row = await query
      .selectFrom('auditChain')
      .select('hash')
      .where('position', '=', position)
      .executeTakeFirst()
    if (row !== undefined) return hex(row.hash)
    const archived = await findArchived(query)
    return archived?.position === position ? archived.hash : undefined
  },
  async verify(query) {
    const faults: ChainFault[] = []
    const report = (fault: ChainFault): void => {
      if (faults.length < maxFaults) faults.push(fault)
    }
    const archived = await findArchived(query)
    const head = await checkLinks(query, archived === undefined ? start : linkOf(archived), report)
    for (const entryId of await findVanished(query, maxFaults)) report({ kind: 'removed', entryId })
    for (const entryId of await findUnchained(query, maxFaults)) report({ kind: 'inserted', entryId })
    return { head, archived, waiting: await countWaiting(query), faults }
  },
})

const maxFaults = 100
const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other)

const findLast = async (query: Query): Promise<Link | undefined> =>
  (await query
    .selectFrom('auditChain')
    .select(['position', 'hash', 'chainedAt'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()) ?? (await findArchived(query).then((archived) => archived && linkOf(archived)))

/** What the first row of the chain follows, if the beginning is archived. */
const linkOf = ({ hash, ...archived }: Archived): Link => ({ ...archived, hash: Buffer.from(hash, 'hex') })

const extendOnce = async (tx: Query, clock: Clock): Promise<number> => {
  await sql`select pg_advisory_xact_lock(hashtext('audit_chain'))`.execute(tx)
  await sql`delete from audit_waiting w using audit_chain c where c.entry_id = w.entry_id`.execute(tx)
  const { rows } = await sql<{ entryId: string; entryHash: Buffer }>`
    select a.id as entry_id, audit_entry_hash(a) as entry_hash
    from (select distinct entry_id from audit_waiting) w join audit_log a on a.id = w.entry_id
    order by a.id limit ${batchSize}`.execute(tx)
  let last = (await findLast(tx)) ?? start
  const chainedAt = new Date(clock.now())
  const links = rows.map(({ entryId, entryHash }) => {
    const position = last.position + 1
    const hash = linkHash(last.hash, { position, chainedAt, entryHash })
    last = { position, hash, chainedAt }
    return { position, entryId, entryHash, chainedAt, hash }
  })
  if (links.length === 0) return 0
  await sql`
    insert into audit_chain (position, entry_id, entry_hash, chained_at, hash)
    select * from unnest(${links.map(({ position }) => position)}::bigint[], ${links.map(({ entryId }) => entryId)}::uuid[],
      ${bytesArray(links.map(({ entryHash }) => entryHash))}::bytea[], ${links.map(() => chainedAt)}::timestamptz[],
      ${bytesArray(links.map(({ hash }) => hash))}::bytea[])`.execute(tx)
  await sql`delete from audit_waiting where entry_id = any(${links.map(({ entryId }) => entryId)}::uuid[])`.execute(
    tx,
  )
  return links.length
}

/** The longest time between the time in an entry and its commit: transactions have deadlines. */
const longestWriteMs = 10 * 60_000

/** Reports every row whose entry or hash is not what it was. Returns the last row. */
const checkLinks = async (
  query: Query,
  beginning: Link,
  report: (fault: ChainFault) => void,
): Promise<ChainHead | undefined> => {
  let last = beginning
  let batchBefore = beginning.chainedAt
  for await (const row of readChain(query, beginning.position)) {
    const { position, entryId, chainedAt, hash, entryHash } = row
    const at = { position, entryId }
    if (position !== last.position + 1 || !isSame(hash, linkHash(last.hash, row)))
      report({ kind: 'chain', ...at })
    if (chainedAt.getTime() !== last.chainedAt.getTime()) batchBefore = last.chainedAt
    // The later of both can be wrong if the clock was set back between the batches.
    const earliestMs = Math.min(batchBefore.getTime(), chainedAt.getTime()) - longestWriteMs
    if (row.currentHash === null || row.at === null) report({ kind: 'removed', ...at })
    else if (!isSame(row.currentHash, entryHash)) report({ kind: 'altered', ...at })
    else if (row.at.getTime() < earliestMs) report({ kind: 'inserted', ...at })
    last = { position, hash, chainedAt }
  }
  return last.position === 0 ? undefined : { position: last.position, hash: hex(last.hash) }
}
