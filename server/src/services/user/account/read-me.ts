import type { operations, UserResponse } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { inBatches } from '../../../lib/in-batches.ts'
import { Problem } from '../../../lib/problem.ts'
import type { UserDependencies } from '../dependencies.ts'
import { readUserResponses } from './user-response.ts'
import { findUsers } from '../users/users.store.ts'

/** Reads in batches: every client calls this first, and some call it before everything they do. */
export const createReadMe = ({ database }: UserDependencies) => {
  const find = inBatches(async (ids) => {
    const users = await readUserResponses(database.query, await findUsers(database.query, ids))
    return new Map(users.map((user) => [user.id, user]))
  })
  return async ({ principal }: Call<typeof operations.readMe>): Promise<UserResponse> => {
    const me = await find(principal.id)
    if (me === undefined) throw new Problem('token_invalid')
    return me
  }
}
