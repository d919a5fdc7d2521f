import { Client } from 'pg'
import type { TestServer } from './test-server.ts'

export type Event = { readonly topic: string; readonly payload: unknown }
export type Entry = { readonly actor: string; readonly action: string; readonly details: unknown }

/** The events whose payload is about this company, oldest first. */
export const eventsAbout = async (server: TestServer, companyId: string): Promise<Event[]> =>
  (await allEvents(server)).filter(({ payload }) => (payload as { id?: string }).id === companyId)

/** The events that are delivered to this company, oldest first. */
export const eventsOf = async (server: TestServer, companyId: string): Promise<Event[]> =>
  (await allEvents(server)).filter(({ topic }) => topic.startsWith(`company/${companyId}/`))

const allEvents = async (server: TestServer): Promise<Event[]> => {
  const rows = await select<{ topic: string; payload: Buffer }>(
    server,
    `select concat_ws('/', owner_kind, owner_id, mode, resource, action) as topic, payload
      from outbox order by sequence`,
  )
  return rows.map(({ topic, payload }) => ({
    topic,
    payload: JSON.parse(payload.toString('utf8')) as unknown,
  }))
}

/** The entries of the audit log about this company, oldest first. */
export const auditOf = (server: TestServer, companyId: string): Promise<Entry[]> =>
  auditWhere(server, 'company_id', companyId)

/** The entries of the audit log about what this actor did, oldest first. */
export const auditBy = (server: TestServer, actor: string): Promise<Entry[]> =>
  auditWhere(server, 'actor', actor)

const auditWhere = async (
  server: TestServer,
  column: 'company_id' | 'actor',
  value: string,
): Promise<Entry[]> => {
  const rows = await select<{ actor: string; action: string; details: string }>(
    server,
    `select actor, action, details from audit_log where ${column} = $1 order by id`,
    [value],
  )
  return rows.map(({ actor, action, details }) => ({
    actor,
    action,
    details: JSON.parse(details) as unknown,
  }))
}

const select = async <Row extends object>(
  server: TestServer,
  statement: string,
  values: readonly string[] = [],
): Promise<Row[]> => {
  const client = new Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(statement, [...values])).rows
  } finally {
    await client.end()
  }
}
