import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { recordChange } from '../record-change.ts'
import { toApplicationResponse } from './application-response.ts'
import { deleteApplication as deleteStored } from './applications.store.ts'
import { requireApplication } from './require-application.ts'

/** Deleting the record invalidates its tokens. */
export const deleteApplication = async (
  deps: AuthDependencies,
  call: Call<typeof operations.deleteApplication>,
): Promise<Deleted> =>
  call.commit(async (tx) => {
    const { application, owner } = await requireApplication(deps, tx, call)
    await deleteStored(tx, application.id)
    await recordChange(deps, tx, call, {
      action: 'applications.delete',
      event: { resource: 'applications', action: 'delete_one' },
      record: toApplicationResponse(application, owner),
      details: { name: application.name, clientId: application.clientId },
    })
    return { id: application.id }
  })
