import { Client, type ClientConfig, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg'
import { answerTimeoutMs, noticeLoss, statementTimeoutMs } from '../../database/notice-loss.ts'
import { isConnectionLoss } from '../../database/unavailable.ts'
import { arrivals } from './handover.ts'

/** Of all processes on a database one is the broker: who holds this lock. */
const lock = 4_811_733_071
export const holders = 'millseal_holders'

const connectTimeoutMs = 5_000

export type Leadership = {
  /** One after the other, on the connection that holds the lock: it is the broker that writes, or nobody. */
  readonly run: Run
  /** Gives the lock up. */
  end(): Promise<void>
}

export type Run = <R extends QueryResultRow>(
  query: string | QueryConfig,
  values?: readonly unknown[],
) => Promise<QueryResult<R>>

type Wanted = {
  readonly connection: ClientConfig
  readonly onNews: (channel: string, payload: string) => void
  /** Once, and never after `end`. */
  readonly onLost: (error: Error) => void
}

/** Nothing where another process is the broker. */
export const becomeLeader = async ({
  connection,
  onNews,
  onLost,
}: Wanted): Promise<Leadership | undefined> => {
  const client = new Client({
    ...connection,
    application_name: 'millseal-broker',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs,
    keepAlive: true,
  })
  let over = false
  const end = async (): Promise<void> => {
    over = true
    await client.end().catch(() => {})
  }
  const lose = (error: Error): void => {
    if (over) return
    void end()
    onLost(error)
  }
  client.on('error', lose)
  client.on('end', () => lose(new Error('The connection that holds the broker ended')))
  client.on('notification', ({ channel, payload = '' }) => onNews(channel, payload))
  try {
    await client.connect()
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [lock])
    if (rows[0]?.held !== true) {
      await end()
      return undefined
    }
    await client.query(`${noticeLoss}; listen ${arrivals}; listen ${holders}`)
    return { run: inOrder(client, lose), end }
  } catch (error) {
    await end()
    throw error
  }
}

const inOrder = (client: Client, lose: (error: Error) => void): Run => {
  let last: Promise<unknown> = Promise.resolve()
  return <R extends QueryResultRow>(query: string | QueryConfig, values: readonly unknown[] = []) => {
    const asked = typeof query === 'string' ? { text: query, values: [...values] } : query
    const next = last.then(() => client.query<R>(asked))
    last = next.catch((error: unknown) => {
      if (error instanceof Error && isConnectionLoss(error)) lose(error)
    })
    return next
  }
}
