import type { Deleted, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { toApplicationResponse } from './application-response.ts'
import { holdApplication } from './hold-application.ts'
import type { ApplicationDependencies } from './applications.routes.ts'
import { removeApplication } from './applications.store.ts'

/** Its tokens die with it: they are looked up at every call. */
export const deleteApplication =
  ({ recordChange, users }: ApplicationDependencies) =>
  async (call: Call<typeof operations.deleteApplication>): Promise<Deleted> =>
    call.commit(async (tx) => {
      const { application, owner } = await holdApplication(tx, call, users)
      await removeApplication(tx, application.id)
      await recordChange(tx, call, {
        action: 'applications.delete',
        event: { resource: 'applications', action: 'delete_one' },
        record: toApplicationResponse(application, owner),
        details: { name: application.name, clientId: application.clientId },
      })
      return { id: application.id }
    })
