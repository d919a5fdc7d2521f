import { type Query } from '../../../ports/database/database.ts'

/** Returns the stored name; if there is none, stores this one. */
export const ensureVhost = async (query: Query, name: string): Promise<string> => {
  const find = () => query.selectFrom('brokerVhost').select('name').executeTakeFirst()
  const found = await find()
  if (found !== undefined) return found.name
  await query
    .insertInto('brokerVhost')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await find())?.name ?? name
}
