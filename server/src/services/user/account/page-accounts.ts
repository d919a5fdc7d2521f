import type { Accounts } from '../../../http/pages/accounts.ts'
import type { UserDependencies } from '../dependencies.ts'
import { acceptInvitation, readInvitationByLink } from '../invitations/accept-invitation.ts'
import { findUnlockLink, unlockByLink } from '../sign-in/unlock-by-link.ts'
import { confirmEmail } from './confirm-email.ts'
import { registerUser } from './register-user.ts'
import { requestMail } from './request-mail.ts'
import { findResetLink, resetPassword } from './reset-password.ts'

/** The verbs of the API, for the pages of the server. */
export const pageAccounts = (deps: UserDependencies): Accounts => {
  const { database } = deps
  const { transaction: commit } = database
  return {
    register: async (body, language) => {
      await registerUser(deps, { body, sentHeaders: { 'accept-language': language }, commit })
    },
    sendConfirmation: (email) => requestMail(deps, 'confirm_email', email),
    confirmEmail: (link) => confirmEmail(deps, link),
    sendPasswordReset: (email) => requestMail(deps, 'reset_password', email),
    isPasswordLink: async (token) => (await findResetLink(deps, database.query, token)) !== undefined,
    resetPassword: async ({ token, password, ip }) => {
      const client = { ip, device: '' }
      const query = { token: token.reveal() }
      await resetPassword(deps, { query, body: { password: password.reveal() }, client, commit })
    },
    isUnlockLink: async (token) => (await findUnlockLink(deps, database.query, token)) !== undefined,
    unlockSignIn: async ({ token, ip }) => {
      await unlockByLink(deps, { query: { token: token.reveal() }, client: { ip, device: '' }, commit })
    },
    readInvitation: (token) => readInvitationByLink(deps, { query: { token: token.reveal() } }),
    acceptInvitation: async ({ token, account, language, ip }) => {
      const client = { ip, device: '' }
      const query = { token: token.reveal() }
      const sentHeaders = { 'accept-language': language }
      await acceptInvitation(deps, { query, body: account, client, sentHeaders, commit })
    },
  }
}
