import { type Application, type Mode, modes, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import { toApplicationResponse } from './application-response.ts'
import type { ApplicationDependencies } from './applications.routes.ts'
import { findApplicationPage } from './applications.store.ts'

export const listApplications =
  ({ database, users }: ApplicationDependencies) =>
  async (call: Call<typeof operations.listApplications>): Promise<Application[]> => {
    const { companyId } = call
    const shown = modesWithinReach(call)
    const owner = await users.findCompany(database.query, companyId)
    if (owner === undefined) throw new Problem('not_found')
    const found = await listPage(
      call,
      (page) => findApplicationPage(database.query, { companyId, modes: shown }, page),
      ({ id }) => id,
    )
    return found.map((application) => toApplicationResponse(application, owner))
  }

/** Who asks for a mode is told why not; who asks for all gets what there is to get. */
const modesWithinReach = ({
  query,
  assertRecordMode,
}: Pick<Call<typeof operations.listApplications>, 'query' | 'assertRecordMode'>): readonly Mode[] => {
  if (query.mode !== undefined) {
    assertRecordMode(query.mode)
    return [query.mode]
  }
  return modes.filter((mode) => {
    try {
      assertRecordMode(mode)
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  })
}
