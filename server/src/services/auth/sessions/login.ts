import type { AnswerOf, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { openSession } from './open-session.ts'
import { sessionCookies } from './session-cookies.ts'

export const login = async (
  deps: AuthDependencies,
  { body, client, header }: Call<typeof operations.login>,
): Promise<AnswerOf<typeof operations.login>> => {
  const name = body.username ?? body.email
  if (name === undefined) {
    throw new Problem('validation_failed', { reasons: [because('name_or_email_required')] })
  }
  const user = await deps.users.signIn({
    login: name,
    password: new Secret(body.password),
    ipAddress: client.ip,
    code: body.code === undefined ? undefined : new Secret(body.code),
  })
  const opened = await openSession(deps, user, client)
  header('set-cookie', sessionCookies({ ...opened, publicUrl: deps.publicUrl() }))
  return {
    userId: user.id,
    accessToken: opened.accessToken.reveal(),
    refreshToken: opened.refreshToken.reveal(),
  }
}
