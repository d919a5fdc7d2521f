import { type ApplicationWithSecret, limits, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { hashClientSecret, newClientId, newClientSecret } from './client-credentials.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { recordChange } from '../record-change.ts'
import { readFields, writeFields } from './application-fields.ts'
import { toApplicationResponse } from './application-response.ts'
import { textOf } from './application-text.ts'
import { countApplications, insertApplication } from './applications.store.ts'

export const createApplication = async (
  deps: AuthDependencies,
  call: Call<typeof operations.createApplication>,
): Promise<ApplicationWithSecret> => {
  const { body, companyId, commit } = call
  const fields = writeFields({ ...body, ...textOf(body) })
  const clientSecret = newClientSecret()
  return commit(async (tx) => {
    const owner = await deps.users.lockCompany(tx, companyId)
    if (owner === undefined) throw new Problem('not_found')
    if ((await countApplications(tx, companyId)) >= limits.applicationsPerCompany) {
      throw new Problem('application_limit_reached', {
        reasons: [because('application_limit', { most: limits.applicationsPerCompany })],
      })
    }
    const nowMs = deps.clock.now()
    const now = new Date(nowMs)
    const application = await insertApplication(tx, {
      ...fields,
      id: uuidv7(nowMs),
      companyId,
      mode: body.mode,
      clientId: newClientId(),
      secretHash: hashClientSecret(clientSecret),
      createdAt: now,
      updatedAt: now,
    })
    const record = toApplicationResponse(application, owner)
    await recordChange(deps, tx, call, {
      action: 'applications.create',
      event: { resource: 'applications', action: 'create_one' },
      record,
      details: { clientId: record.clientId, ...readFields(application) },
    })
    return { ...record, clientSecret: clientSecret.reveal() }
  })
}
