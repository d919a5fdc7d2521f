import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../http/binding.ts'
import { Problem } from '../../lib/problem.ts'
import { Secret } from '../../lib/secret.ts'
import { confirmEmail } from './confirm-email.ts'
import type { UserRoomDependencies } from './index.ts'
import { registerUser } from './register-user.ts'
import { resendConfirmation } from './resend-confirmation.ts'
import { toUserResponse } from './user-response.ts'
import { findUser } from './users.store.ts'

export const userRoutes = (deps: UserRoomDependencies): readonly Binding[] => {
  const confirm = confirmEmail(deps)
  const resend = resendConfirmation(deps)
  return [
    bind(operations.registerUser, registerUser(deps)),
    bind(operations.resendConfirmation, ({ params }) => resend(params.email)),
    bind(operations.confirmEmail, async ({ query }) => {
      await confirm(new Secret(query.token))
      return { location: `${deps.publicUrl()}/welcome` }
    }),
    bind(operations.readMe, async ({ principal }) => {
      const user = await findUser(deps.database.query, principal.id)
      if (user === undefined || user.status !== 'active') throw new Problem('token_invalid')
      return toUserResponse(user)
    }),
  ]
}
