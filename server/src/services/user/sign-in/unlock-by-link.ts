import type { AnswerOf, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { Query } from '../../../ports/database/database.ts'
import { hashLinkToken } from '../users/link-token.ts'
import { deleteLinksOf, findLink, type StoredLink } from '../users/links.store.ts'
import { lockUser } from '../users/user-changes.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { attemptSubject } from './sign-in-attempts.ts'
import { forgetFailures } from './sign-in-attempts.store.ts'

export const findUnlockLink = (
  { clock }: UserDependencies,
  query: Query,
  token: Secret,
): Promise<StoredLink | undefined> => {
  const wanted = { tokenHash: hashLinkToken(token), purposes: ['unlock_sign_in'] } as const
  return findLink(query, wanted, new Date(clock.now()))
}

/** Looks the link up again once the user is locked: of two concurrent uses, one succeeds. */
export const unlockByLink = async (
  deps: UserDependencies,
  { query, client, commit }: Pick<Call<typeof operations.unlockSignInByLink>, 'query' | 'client' | 'commit'>,
): Promise<AnswerOf<typeof operations.unlockSignInByLink>> => {
  const token = new Secret(query.token)
  const link = await findUnlockLink(deps, deps.database.query, token)
  if (link === undefined) throw new Problem('link_invalid')
  return commit(async (tx) => {
    const user = await lockUser(tx, link.userId)
    if (user === undefined || (await findUnlockLink(deps, tx, token)) === undefined)
      throw new Problem('link_invalid')
    await forgetFailures(tx, attemptSubject(user.id))
    await deleteLinksOf(tx, user.id, ['unlock_sign_in'])
    await deps.audit.write(tx, {
      actor: `ip:${client.ip}`,
      action: 'users.unlock_sign_in_by_link',
      subject: attemptSubject(user.id),
      ipAddress: client.ip,
    })
    return { message: 'The lock has ended.' }
  })
}
