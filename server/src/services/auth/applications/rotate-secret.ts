import type { ApplicationWithSecret, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { hashClientSecret, newClientSecret } from './client-credentials.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { recordChange } from '../record-change.ts'
import { toApplicationResponse } from './application-response.ts'
import { updateApplication } from './applications.store.ts'
import { requireApplication } from './require-application.ts'

/** Keeps the client id. The old secret and all its tokens become invalid with this transaction. */
export const rotateSecret = async (
  deps: AuthDependencies,
  call: Call<typeof operations.rotateApplicationSecret>,
): Promise<ApplicationWithSecret> => {
  const clientSecret = newClientSecret()
  return call.commit(async (tx) => {
    const { application, owner } = await requireApplication(deps, tx, call)
    const rotated = await updateApplication(tx, application.id, {
      secretHash: hashClientSecret(clientSecret),
      tokenId: null,
      tokenIssuedAt: null,
      tokenKeyId: null,
      previousTokenId: null,
      updatedAt: new Date(deps.clock.now()),
    })
    const record = toApplicationResponse(rotated, owner)
    await recordChange(deps, tx, call, {
      action: 'applications.rotate_secret',
      event: { resource: 'applications', action: 'update_one' },
      record,
    })
    return { ...record, clientSecret: clientSecret.reveal() }
  })
}
