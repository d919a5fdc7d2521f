import { type AutomationConstants, limits, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { signSessionToken } from './session-token.ts'
import { extendSession } from './sessions.store.ts'

/**
 * Returns a token to try the API with. It is valid for a day and ends with the session it was shown in. The session is
 * therefore extended to a day; the cookie of the browser is not.
 */
export const readAutomationConstants = async (
  deps: AuthDependencies,
  { principal, client, commit }: Call<typeof operations.readAutomationConstants>,
): Promise<AutomationConstants> => {
  const { users, clock, audit } = deps
  assertRecentSignIn(principal, clock)
  const companies = await users.findCompaniesOf(principal.id)
  const nowMs = clock.now()
  const expiresAt = new Date(nowMs + limits.accessTokenSeconds * 1_000)
  const tokenId = uuidv7(nowMs)
  const { sessionId } = principal
  const token = await signSessionToken(deps, {
    user: principal,
    sessionId,
    tokenId,
    nowMs,
    lifetimeSeconds: limits.accessTokenSeconds,
  })
  return commit(async (tx) => {
    await extendSession(tx, sessionId, expiresAt)
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'users.read_automation_constants',
      subject: `session:${sessionId}`,
      ipAddress: client.ip,
      details: { tokenId },
    })
    return {
      accessToken: token.reveal(),
      expiresAt: expiresAt.toISOString(),
      userId: principal.id,
      companies: companies.map(({ id, name, vatId }) => ({ companyId: id, name, vatId })),
    }
  })
}
