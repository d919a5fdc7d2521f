import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { changePassword } from './change-password.ts'
import { readCompanies } from '../companies/company-response.ts'
import { confirmEmail } from './confirm-email.ts'
import { confirmationMail } from './confirmation-mail.ts'
import { deleteUser } from './delete-user.ts'
import type { UserDependencies } from '../dependencies.ts'
import { hashLinkToken } from './link-token.ts'
import { findLink } from './links.store.ts'
import { readOnboarding } from './read-onboarding.ts'
import { reachableUser } from './reach-user.ts'
import { registerUser } from './register-user.ts'
import { requestMail } from './request-mail.ts'
import { passwordResetMail } from './password-reset-mail.ts'
import { resetPassword } from './reset-password.ts'
import { updateUser } from './update-user.ts'
import { readMe } from './read-me.ts'
import { readUserResponse, readUserResponses } from './user-response.ts'
import { findUser, findUserPage } from './users.store.ts'

export const userRoutes = (deps: UserDependencies): readonly Binding[] => [
  ...linkRoutes(deps),
  bind(operations.registerUser, registerUser(deps)),
  bind(operations.listUsers, async (call) =>
    readUserResponses(
      deps.database.query,
      await listPage(
        call,
        (page) => findUserPage(deps.database.query, page),
        ({ id }) => id,
      ),
    ),
  ),
  bind(operations.readMe, readMe(deps)),
  bind(operations.readOnboarding, ({ principal }) => readOnboarding(deps)(principal.id)),
  bind(operations.readOnboardingOfUser, async ({ params, principal }) => {
    const id = reachableUser(principal, params.id)
    if ((await findUser(deps.database.query, id)) === undefined) throw new Problem('not_found')
    return readOnboarding(deps)(id)
  }),
  bind(operations.readUser, async ({ params, principal }) =>
    readUserResponse(deps.database.query, reachableUser(principal, params.id)),
  ),
  bind(operations.updateUser, updateUser(deps)),
  bind(operations.deleteUser, deleteUser(deps)),
  bind(operations.changePassword, changePassword(deps)),
  bind(operations.listCompaniesOfUser, async (call) => {
    const id = reachableUser(call.principal, call.params.id)
    if ((await findUser(deps.database.query, id)) === undefined) throw new Problem('not_found')
    return listPage(
      call,
      (page) => readCompanies(deps.database.query, { memberIds: [id], ...page }),
      (company) => company.id,
    )
  }),
]

/** What a mail leads to, and what brings such a mail. */
const linkRoutes = (deps: UserDependencies): readonly Binding[] => {
  const confirm = confirmEmail(deps)
  const mailConfirmation = requestMail(deps, confirmationMail)
  const mailPasswordReset = requestMail(deps, passwordResetMail)
  return [
    bind(operations.resendConfirmation, async ({ params }) => {
      await mailConfirmation(params.email)
      return { message: 'If this address is registered and not confirmed yet, a mail is on its way.' }
    }),
    bind(operations.confirmEmail, async ({ query, client }) => {
      await confirm(new Secret(query.token), client)
      return { location: `${deps.publicUrl()}/welcome` }
    }),
    bind(operations.requestPasswordReset, async ({ params }) => {
      await mailPasswordReset(params.email)
      return { message: 'If this address is registered, a mail is on its way.' }
    }),
    bind(operations.openPasswordReset, async ({ query }) => {
      const wanted = {
        tokenHash: hashLinkToken(new Secret(query.token)),
        purposes: ['reset_password'],
      } as const
      const link = await findLink(deps.database.query, wanted, new Date(deps.clock.now()))
      if (link === undefined) throw new Problem('link_invalid')
      // A browser keeps what follows the # to itself: no server, proxy or log sees the token again.
      return { location: `${deps.publicUrl()}/reset-password#token=${query.token}` }
    }),
    bind(operations.resetPassword, resetPassword(deps)),
  ]
}
