import type { Application, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { recordChange } from '../record-change.ts'
import { readFields, writeFields } from './application-fields.ts'
import { toApplicationResponse } from './application-response.ts'
import { changedText } from './application-text.ts'
import { updateApplication as updateStored } from './applications.store.ts'
import { requireApplication } from './require-application.ts'

/** New scopes apply at once to tokens issued before, because every call reads them from the record. */
export const updateApplication = async (
  deps: AuthDependencies,
  call: Call<typeof operations.updateApplication>,
): Promise<Application> => {
  const { params, body, commit } = call
  if (body.id !== undefined && body.id.toLowerCase() !== params.id.toLowerCase())
    throw new Problem('id_mismatch')
  const fields = writeFields(body)
  return commit(async (tx) => {
    const { application: before, owner } = await requireApplication(deps, tx, call)
    const after = await updateStored(tx, before.id, {
      ...fields,
      ...changedText(before, body),
      updatedAt: new Date(deps.clock.now()),
    })
    const record = toApplicationResponse(after, owner)
    await recordChange(deps, tx, call, {
      action: 'applications.update',
      event: { resource: 'applications', action: 'update_one' },
      record,
      details: { before: readFields(before), after: readFields(after) },
    })
    return record
  })
}
