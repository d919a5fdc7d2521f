import { operations } from '@millseal/contract'
import { type Binding, bind as bindCall, bindTo } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { paths } from '../../../http/pages/links.ts'
import { linkCookie } from '../../../http/pages/mailed-link.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { readCompanies } from '../companies/company-response.ts'
import type { UserDependencies } from '../dependencies.ts'
import { unlockByLink } from '../sign-in/unlock-by-link.ts'
import { unlockSignIn } from '../sign-in/unlock-sign-in.ts'
import { accessibleUserId } from './accessible-user.ts'
import { changePassword } from './change-password.ts'
import { confirmEmail } from './confirm-email.ts'
import { deleteUser } from './delete-user.ts'
import { createReadMe } from './read-me.ts'
import { readOnboarding } from './read-onboarding.ts'
import { registerUser } from './register-user.ts'
import { requestMail } from './request-mail.ts'
import { findResetLink, resetPassword } from './reset-password.ts'
import { updateUser } from './update-user.ts'
import { readUserResponse, readUserResponses } from './user-response.ts'
import { countUsers, findUser, findUserPage } from '../users/users.store.ts'

export const userRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    ...linkRoutes(deps),
    bind(operations.registerUser, registerUser),
    bind(operations.listUsers, async ({ database }, call) => {
      const { text, status, role, after } = call.query
      const filter = { text, status, role }
      if (after === undefined) call.header('x-total-count', String(await countUsers(database.query, filter)))
      const users = await listPage(
        call,
        (page) => findUserPage(database.query, filter, page),
        ({ id }) => id,
      )
      return readUserResponses(database.query, users)
    }),
    bindCall(operations.readMe, createReadMe(deps)),
    bind(operations.readOnboarding, (_, { principal }) => readOnboarding(deps, principal.id)),
    bind(operations.readOnboardingOfUser, async ({ database }, { params, principal }) => {
      const id = accessibleUserId(principal, params.id)
      if ((await findUser(database.query, id)) === undefined) throw new Problem('not_found')
      return readOnboarding(deps, id)
    }),
    bind(operations.readUser, async ({ database }, { params, principal }) =>
      readUserResponse(database.query, accessibleUserId(principal, params.id)),
    ),
    bind(operations.updateUser, updateUser),
    bind(operations.deleteUser, deleteUser),
    bind(operations.changePassword, changePassword),
    bind(operations.unlockSignIn, unlockSignIn),
    bind(operations.unlockSignInByLink, unlockByLink),
    bind(operations.listCompaniesOfUser, async ({ database }, call) => {
      const id = accessibleUserId(call.principal, call.params.id)
      if ((await findUser(database.query, id)) === undefined) throw new Problem('not_found')
      return listPage(
        call,
        (page) => readCompanies(database.query, { memberIds: [id], ...page }),
        (company) => company.id,
      )
    }),
  ]
}

/** Mailed links, and the requests that mail them. */
const linkRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.resendConfirmation, async (_, { params }) => {
      await requestMail(deps, 'confirm_email', params.email)
      return { message: 'If this address is registered and not confirmed yet, a mail is on its way.' }
    }),
    bind(operations.confirmEmail, async (_, { query, client }) => {
      await confirmEmail(deps, { token: new Secret(query.token), ip: client.ip })
      return { location: `${deps.publicUrl()}${paths.welcome}` }
    }),
    bind(operations.requestPasswordReset, async (_, { params }) => {
      await requestMail(deps, 'reset_password', params.email)
      return { message: 'If this address is registered, a mail is on its way.' }
    }),
    bind(operations.openPasswordReset, async ({ database }, { query, header }) => {
      const link = await findResetLink(deps, database.query, new Secret(query.token))
      if (link === undefined) throw new Problem('link_invalid')
      // The page has the token in a cookie, so that its address and the history do not contain it.
      header('set-cookie', linkCookie(deps.publicUrl(), 'password').set(query.token))
      return { location: `${deps.publicUrl()}${paths.reset}` }
    }),
    bind(operations.resetPassword, resetPassword),
  ]
}
