import type { ApplicationWithSecret, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { toApplicationResponse } from './application-response.ts'
import { holdApplication } from './hold-application.ts'
import type { ApplicationDependencies } from './applications.routes.ts'
import { replaceSecret } from './applications.store.ts'
import { hashClientSecret, newClientSecret } from '../application-tokens/client-credentials.ts'

/** The client id stays; the old secret and every token it was exchanged for end with this transaction. */
export const rotateSecret =
  ({ clock, recordChange, users }: ApplicationDependencies) =>
  async (call: Call<typeof operations.rotateApplicationSecret>): Promise<ApplicationWithSecret> => {
    const clientSecret = newClientSecret()
    return call.commit(async (tx) => {
      const { application, owner } = await holdApplication(tx, call, users)
      const now = new Date(clock.now())
      await replaceSecret(tx, { id: application.id, secretHash: hashClientSecret(clientSecret) }, now)
      const record = toApplicationResponse({ ...application, updatedAt: now }, owner)
      await recordChange(tx, call, {
        action: 'applications.rotate_secret',
        event: { resource: 'applications', action: 'update_one' },
        record,
      })
      return { ...record, clientSecret: clientSecret.reveal() }
    })
  }
