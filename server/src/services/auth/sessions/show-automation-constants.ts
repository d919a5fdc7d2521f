import { type AutomationConstants, limits, type operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { assertRecentSignIn } from '../../../http/step-up.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Audit } from '../../../ports/audit/audit.ts'
import type { Clock } from '../../../ports/clock/clock.ts'
import type { UserService } from '../../user/index.ts'
import { extendSession } from '../console-session/console-sessions.store.ts'
import type { Tokens } from '../application-tokens/tokens.ts'

type Dependencies = {
  readonly users: Pick<UserService, 'findCompaniesOf'>
  readonly clock: Clock
  readonly audit: Audit
  readonly tokens: Pick<Tokens, 'sign'>
}
type ShowCall = Pick<Call<typeof operations.readAutomationConstants>, 'principal' | 'client' | 'commit'>

/**
 * A token to try the API with by hand. It is good for a day and dies with the session it was shown in, which therefore
 * lives at least as long; the browser's cookie does not.
 */
export const showAutomationConstants =
  ({ users, clock, audit, tokens }: Dependencies) =>
  async ({ principal, client, commit }: ShowCall): Promise<AutomationConstants> => {
    assertRecentSignIn(principal, clock)
    const companies = await users.findCompaniesOf(principal.id)
    const nowMs = clock.now()
    const expiresAt = new Date(nowMs + limits.accessTokenSeconds * 1_000)
    const tokenId = uuidv7(nowMs)
    const { id, username, email, sessionId } = principal
    const { token } = await tokens.sign({
      kind: 'user',
      subject: id,
      tokenId,
      sessionId,
      issuedAtMs: nowMs,
      lifetimeSeconds: limits.accessTokenSeconds,
      shown: { user: { id, username, email } },
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
        userId: id,
        companies: companies.map((company) => ({
          companyId: company.id,
          name: company.name,
          vatId: company.vatId,
        })),
      }
    })
  }
