import type { operations, UserResponse } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { preferredLanguage } from '../../../lib/mail-languages.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { UserDependencies } from '../dependencies.ts'
import { confirmationMail } from '../mailing/link-mail.ts'
import { assertAcceptablePassword, hashPassword } from '../users/password.ts'
import { toUserResponse } from './user-response.ts'
import { acceptableUsername, assertDistinctUsername } from '../users/username.ts'
import { insertUser } from '../users/users.store.ts'

export const registerUser = async (
  { jobs, clock, database }: UserDependencies,
  {
    body,
    sentHeaders,
    commit,
  }: Pick<Call<typeof operations.registerUser>, 'body' | 'sentHeaders' | 'commit'>,
): Promise<UserResponse> => {
  const { email } = body
  const username = acceptableUsername(body.username)
  const language = preferredLanguage(sentHeaders['accept-language'])
  const password = new Secret(body.password)
  await assertAcceptablePassword(password, { username, email })
  await assertDistinctUsername(database.query, username)
  const passwordHash = await hashPassword(password)
  return commit(async (tx) => {
    const now = clock.now()
    const account = { id: uuidv7(now), username, email, passwordHash, language }
    const user = await insertUser(tx, account, new Date(now))
    if (user === undefined) throw new Problem('user_exists')
    await jobs.enqueue(tx, confirmationMail, { userId: user.id })
    return toUserResponse(user)
  })
}
