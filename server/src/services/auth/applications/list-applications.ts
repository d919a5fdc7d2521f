import { type Application, modes, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { toApplicationResponse } from './application-response.ts'
import { findApplicationPage } from './applications.store.ts'

/** A mode in the query that the caller may not act in is an error. Without one, such modes are left out. */
export const listApplications = async (
  { database, users }: AuthDependencies,
  call: Call<typeof operations.listApplications>,
): Promise<Application[]> => {
  const { companyId, query, assertRecordMode, mayActIn } = call
  if (query.mode !== undefined) assertRecordMode(query.mode)
  const shown = query.mode === undefined ? modes.filter(mayActIn) : [query.mode]
  const owner = await users.findCompany(database.query, companyId)
  if (owner === undefined) throw new Problem('not_found')
  const found = await listPage(
    call,
    (page) => findApplicationPage(database.query, { companyId, modes: shown }, page),
    ({ id }) => id,
  )
  return found.map((application) => toApplicationResponse(application, owner))
}
