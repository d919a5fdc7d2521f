import type { Database } from '../../../ports/database/database.ts'

type VhostTables = { broker_vhost: { only_one: boolean; name: string } }

/** The one that is there; else this one, from now on. */
export const ensureVhost = async ({ query }: Database, name: string): Promise<string> => {
  const tables = query.withTables<VhostTables>()
  const find = () => tables.selectFrom('broker_vhost').select('name').executeTakeFirst()
  const found = await find()
  if (found !== undefined) return found.name
  await tables
    .insertInto('broker_vhost')
    .values({ only_one: true, name })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await find())?.name ?? name
}
