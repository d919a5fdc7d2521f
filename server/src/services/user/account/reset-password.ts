import type { operations, UserResponse } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { UserDependencies } from '../dependencies.ts'
import { hashLinkToken } from './link-token.ts'
import { deleteLinksOf, findLink } from './links.store.ts'
import { assertAcceptablePassword, hashPassword } from './password.ts'
import { notifyBy } from './security-notice.ts'
import { readUserResponse } from './user-response.ts'
import { lockUser, savePassword } from './user-changes.store.ts'
import { findUser } from './users.store.ts'

type Dependencies = Pick<UserDependencies, 'database' | 'clock' | 'jobs' | 'audit'>
type ResetCall = Pick<Call<typeof operations.resetPassword>, 'query' | 'body' | 'client' | 'commit'>

/** Of two uses of one link at once the second finds it used up: whoever comes first holds the account. */
export const resetPassword =
  (deps: Dependencies) =>
  async ({ query, body, client, commit }: ResetCall): Promise<UserResponse> => {
    const wanted = {
      tokenHash: hashLinkToken(new Secret(query.token)),
      purposes: ['reset_password'],
    } as const
    const findLinked = (at: typeof deps.database.query) => findLink(at, wanted, new Date(deps.clock.now()))
    const link = await findLinked(deps.database.query)
    const owner = link && (await findUser(deps.database.query, link.userId))
    if (owner === undefined) throw new Problem('link_invalid')
    const password = new Secret(body.password)
    assertAcceptablePassword(password, owner)
    const passwordHash = await hashPassword(password)
    return commit(async (tx) => {
      const user = await lockUser(tx, owner.id)
      if (user?.status !== 'active' || (await findLinked(tx)) === undefined) throw new Problem('link_invalid')
      const now = new Date(deps.clock.now())
      await savePassword(tx, { id: user.id, passwordHash, isEmailProven: true }, now)
      await deleteLinksOf(tx, user.id, ['confirm_email', 'confirm_new_email', 'reset_password'])
      await notifyBy(deps)(tx, { userId: user.id, notice: 'password_changed' })
      await deps.audit.write(tx, {
        actor: `ip:${client.ip}`,
        action: 'users.reset_password',
        subject: `user:${user.id}`,
        ipAddress: client.ip,
      })
      return readUserResponse(tx, user.id)
    })
  }
