import { limits } from '@millseal/contract'
import { sql } from 'kysely'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { BrokerMessage, BrokerPublisher } from '../../../ports/broker/broker.ts'
import { inGroups } from '../../../lib/in-groups.ts'
import { bytesArray } from '../../../ports/database/bytes-array.ts'
import { type Database } from '../../../ports/database/database.ts'

/** The channel that reports new messages. */
export const arrivals = 'millseal_broker'

const callsAtOnce = 200
const sessionMs = limits.brokerSessionSeconds * 1_000
const pruneEveryMs = 600_000

/** Publishes from any process: it inserts messages, and the process that is the broker routes them. */
export const createMessagePublisher = ({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): BrokerPublisher => {
  let prunedAtMs = clock.now()
  const write = inGroups(
    async (calls: readonly (readonly BrokerMessage[])[]) => {
      await insert(database, calls.flat(), new Date(clock.now()))
      if (Math.abs(clock.now() - prunedAtMs) >= pruneEveryMs) {
        prunedAtMs = clock.now()
        await prune(database, new Date(clock.now() - sessionMs))
      }
      return calls
    },
    { most: callsAtOnce, ifItFails: 'reject all' },
  )
  return {
    async publish(messages, signal) {
      signal?.throwIfAborted()
      const { promise: aborted, reject } = Promise.withResolvers<never>()
      const abort = (): void => reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      try {
        await Promise.race([write(messages), aborted])
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
  }
}

const insert = async (
  { query }: Database,
  messages: readonly BrokerMessage[],
  publishedAt: Date,
): Promise<void> => {
  const ids = messages.map(({ messageId }) => messageId)
  const topics = messages.map(({ topic }) => topic)
  const payloads = bytesArray(messages.map(({ payload }) => payload))
  await sql`
    with arrived as (
      insert into broker_messages (id, topic, payload, published_at)
      select id, topic, payload, ${publishedAt}::timestamptz
      from unnest(${ids}::uuid[], ${topics}::text[], ${payloads}::bytea[])
        with ordinality as given (id, topic, payload, nth)
      order by nth
      on conflict (id) do nothing
      returning 1
    )
    select pg_notify(${arrivals}, '') from (select count(*) from arrived) as all_of_them`.execute(query)
}

/** Deletes messages that no broker has routed for so long that every session is over. */
const prune = async ({ query }: Database, before: Date): Promise<void> => {
  await query
    .deleteFrom('brokerMessages')
    .where('position', 'is', null)
    .where('publishedAt', '<', before)
    .execute()
}
