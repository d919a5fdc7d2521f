import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { createApplication } from './create-application.ts'
import { deleteApplication } from './delete-application.ts'
import { listApplications } from './list-applications.ts'
import { readApplication } from './read-application.ts'
import { rotateSecret } from './rotate-secret.ts'
import { updateApplication } from './update-application.ts'

export const applicationRoutes = (deps: AuthDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createApplication, createApplication),
    bind(operations.listApplications, listApplications),
    bind(operations.readApplication, readApplication),
    bind(operations.updateApplication, updateApplication),
    bind(operations.deleteApplication, deleteApplication),
    bind(operations.rotateApplicationSecret, rotateSecret),
  ]
}
