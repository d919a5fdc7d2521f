import type { Application, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { toApplicationResponse } from './application-response.ts'
import { findApplication } from './applications.store.ts'

export const readApplication = async (
  { database, users }: AuthDependencies,
  { params, companyId, assertRecordMode }: Call<typeof operations.readApplication>,
): Promise<Application> => {
  const [application, owner] = await Promise.all([
    findApplication(database.query, { id: params.id, companyId }),
    users.findCompany(database.query, companyId),
  ])
  if (application === undefined || owner === undefined) throw new Problem('not_found')
  assertRecordMode(application.mode)
  return toApplicationResponse(application, owner)
}
