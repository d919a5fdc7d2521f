import { sql } from 'kysely'
import type { Database } from '../src/ports/database/database.ts'

/** Until it is disposed of, certificates cannot be changed, as after a failover to a database that is read-only. */
export const refuseUpdates = async ({ query }: Database): Promise<AsyncDisposable> => {
  await sql`
    create function refuse_updates() returns trigger language plpgsql as
    $$ begin raise exception 'cannot execute UPDATE in a read-only transaction'; end $$`.execute(query)
  await sql`
    create trigger refuse_updates before update on certificates
    for each row execute function refuse_updates()`.execute(query)
  return {
    [Symbol.asyncDispose]: async () => void (await sql`drop function refuse_updates cascade`.execute(query)),
  }
}
