import type { Application, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { toApplicationResponse } from './application-response.ts'
import { holdApplication } from './hold-application.ts'
import { changedText } from './application-text.ts'
import type { ApplicationDependencies } from './applications.routes.ts'
import { saveApplication } from './applications.store.ts'
import { readScopes } from '../scopes.ts'

/** Scopes are read from the record at every call, so tokens issued before have the new ones at once. */
export const updateApplication =
  ({ clock, recordChange, users }: ApplicationDependencies) =>
  async (call: Call<typeof operations.updateApplication>): Promise<Application> => {
    const { params, body, commit } = call
    if (body.id !== undefined && body.id.toLowerCase() !== params.id.toLowerCase())
      throw new Problem('id_mismatch')
    const scopes = body.scopes === undefined ? undefined : readScopes(body.scopes)
    return commit(async (tx) => {
      const { application, owner } = await holdApplication(tx, call, users)
      const now = new Date(clock.now())
      const changed = {
        ...application,
        ...changedText(application, body),
        scopes: scopes ?? application.scopes,
        updatedAt: now,
      }
      await saveApplication(tx, changed, now)
      const record = toApplicationResponse(changed, owner)
      await recordChange(tx, call, {
        action: 'applications.update',
        event: { resource: 'applications', action: 'update_one' },
        record,
        details: { before: detailsOf(application), after: detailsOf(changed) },
      })
      return record
    })
  }

const detailsOf = ({ name, description, scopes }: Pick<Application, 'name' | 'description' | 'scopes'>) => ({
  name,
  description,
  scopes,
})
