import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { Database } from '../../../ports/database/database.ts'
import type { UserService } from '../../user/index.ts'
import { toApplicationResponse } from './application-response.ts'
import { findApplication } from './applications.store.ts'
import { createApplication } from './create-application.ts'
import { deleteApplication } from './delete-application.ts'
import { listApplications } from './list-applications.ts'
import type { RecordChange } from './record-change.ts'
import { rotateSecret } from './rotate-secret.ts'
import { updateApplication } from './update-application.ts'

export type ApplicationDependencies = {
  readonly users: Pick<UserService, 'findCompany' | 'lockCompany'>
  readonly database: Database
  readonly clock: Clock
  readonly recordChange: RecordChange
}

export const applicationRoutes = (deps: ApplicationDependencies): readonly Binding[] => [
  bind(operations.createApplication, createApplication(deps)),
  bind(operations.listApplications, listApplications(deps)),
  bind(operations.readApplication, async ({ params, companyId, assertRecordMode }) => {
    const { query } = deps.database
    const [application, owner] = await Promise.all([
      findApplication(query, { id: params.id, companyId }),
      deps.users.findCompany(query, companyId),
    ])
    if (application === undefined || owner === undefined) throw new Problem('not_found')
    assertRecordMode(application.mode)
    return toApplicationResponse(application, owner)
  }),
  bind(operations.updateApplication, updateApplication(deps)),
  bind(operations.deleteApplication, deleteApplication(deps)),
  bind(operations.rotateApplicationSecret, rotateSecret(deps)),
]
