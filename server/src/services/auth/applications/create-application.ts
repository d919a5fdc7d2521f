import { type ApplicationWithSecret, limits, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { toApplicationResponse } from './application-response.ts'
import { textOf } from './application-text.ts'
import type { ApplicationDependencies } from './applications.routes.ts'
import { countApplications, insertApplication } from './applications.store.ts'
import { hashClientSecret, newClientId, newClientSecret } from '../application-tokens/client-credentials.ts'
import { readScopes } from '../scopes.ts'

export const createApplication =
  ({ users, clock, recordChange }: ApplicationDependencies) =>
  async (call: Call<typeof operations.createApplication>): Promise<ApplicationWithSecret> => {
    const { body, companyId, commit } = call
    const given = { ...textOf(body), mode: body.mode, scopes: readScopes(body.scopes) }
    const clientSecret = newClientSecret()
    return commit(async (tx) => {
      const owner = await users.lockCompany(tx, companyId)
      if (owner === undefined) throw new Problem('not_found')
      if ((await countApplications(tx, companyId)) >= limits.applicationsPerCompany) {
        throw new Problem('application_limit_reached', {
          details: [
            `A company has at most ${limits.applicationsPerCompany}, of both modes together: delete one first`,
          ],
        })
      }
      const now = clock.now()
      const entry = {
        ...given,
        id: uuidv7(now),
        companyId,
        clientId: newClientId(),
        secretHash: hashClientSecret(clientSecret),
      }
      const record = toApplicationResponse(await insertApplication(tx, entry, new Date(now)), owner)
      await recordChange(tx, call, {
        action: 'applications.create',
        event: { resource: 'applications', action: 'create_one' },
        record,
        details: { name: record.name, clientId: record.clientId, scopes: record.scopes },
      })
      return { ...record, clientSecret: clientSecret.reveal() }
    })
  }
