import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { acceptLanguage, byId, Email, Id, Message, oneOf } from '../shapes/common.ts'
import { Company } from '../shapes/companies.ts'
import {
  AutomationConstants,
  CreateUser,
  ListeningToken,
  Onboarding,
  UpdatePassword,
  UpdateUser,
  UserResponse,
} from '../shapes/users.ts'
import { activity, roles } from '../vocabulary.ts'

const user = { service: 'user-service', variant: 'both' } as const
const byEmail = Type.Object({ email: Email })
const linkToken = Type.Object({ token: Type.String(limits.linkToken) })
const mailing = { perMinute: limits.mailCallsPerMinute } as const
const guessing = { perMinute: limits.credentialCallsPerMinute } as const

export const registerUser = operation({
  ...user,
  id: 'users.register',
  method: 'POST',
  path: '/users',
  summary: 'Register a user',
  description:
    'Before signing in, the user must open the link in the confirmation e-mail. The header `accept-language` sets the language of mails to the user.',
  access: 'public',
  action: { resource: 'users', action: 'create_one' },
  headers: acceptLanguage,
  body: { kind: 'json', schema: CreateUser },
  answer: { kind: 'json', status: 201, schema: UserResponse },
  errors: ['password_rejected', 'user_exists'],
  limit: guessing,
})

export const resendConfirmation = operation({
  ...user,
  id: 'users.resend_confirmation',
  method: 'GET',
  path: '/users/verify-email/{email}',
  summary: 'Send the confirmation e-mail again',
  description: 'The answer does not tell whether the address is known.',
  access: 'public',
  params: byEmail,
  answer: { kind: 'json', status: 200, schema: Message },
  limit: mailing,
})

export const confirmEmail = operation({
  ...user,
  id: 'users.confirm_email',
  method: 'GET',
  path: '/users/confirm-email',
  summary: 'Confirm the e-mail address',
  description: 'Links in e-mails lead to a page that does the same. Redirects to the page that says so.',
  access: 'link',
  action: { resource: 'users', action: 'confirm' },
  query: linkToken,
  answer: { kind: 'redirect', status: 302 },
  errors: ['user_exists'],
})

export const requestPasswordReset = operation({
  ...user,
  id: 'users.request_password_reset',
  method: 'GET',
  path: '/users/reset-password/{email}',
  summary: 'Send a link for setting a new password',
  description: 'The answer does not tell whether the address is known.',
  access: 'public',
  params: byEmail,
  answer: { kind: 'json', status: 200, schema: Message },
  limit: mailing,
})

export const openPasswordReset = operation({
  ...user,
  id: 'users.open_password_reset',
  method: 'GET',
  path: '/users/reset',
  summary: 'Open the page for a new password',
  description:
    'Redirects to the page that sets the password, with the token in a cookie. Links in e-mails lead to that page directly.',
  access: 'link',
  query: linkToken,
  answer: { kind: 'redirect', status: 302 },
})

export const resetPassword = operation({
  ...user,
  id: 'users.reset_password',
  method: 'POST',
  path: '/users/reset-password',
  summary: 'Set a new password with the link from the e-mail',
  description: 'The link works only once. Ends all sessions of the user.',
  access: 'link',
  action: { resource: 'users', action: 'reset' },
  query: linkToken,
  body: { kind: 'json', schema: UpdatePassword },
  answer: { kind: 'json', status: 200, schema: UserResponse },
  errors: ['password_rejected'],
  limit: guessing,
  idempotency: 'repeatable',
})

export const listUsers = operation({
  ...user,
  id: 'users.list',
  method: 'GET',
  path: '/users',
  summary: 'List all users',
  description: 'The first page has the header `X-Total-Count`.',
  access: 'user',
  scope: [{ resource: 'users', action: 'read_many' }],
  admin: true,
  query: Type.Object({
    text: Type.Optional(
      Type.String({ ...limits.searchText, description: 'Part of the username or the e-mail address' }),
    ),
    status: Type.Optional(oneOf(activity)),
    role: Type.Optional(oneOf(roles)),
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(UserResponse) },
  list: true,
})

export const readMe = operation({
  ...user,
  id: 'users.read_me',
  method: 'GET',
  path: '/users/me',
  summary: 'Read the signed-in user and the companies of the user',
  access: 'user',
  scope: [{ resource: 'users', action: 'read_one' }],
  answer: { kind: 'json', status: 200, schema: UserResponse },
})

export const readOnboarding = operation({
  ...user,
  id: 'users.read_onboarding',
  method: 'GET',
  path: '/users/me/onboarding',
  summary: 'List the remaining steps before live mode',
  access: 'user',
  scope: [{ resource: 'user_onboarding', action: 'read_one' }],
  answer: { kind: 'json', status: 200, schema: Onboarding },
})

export const readOnboardingOfUser = operation({
  ...user,
  id: 'users.read_onboarding_of',
  method: 'GET',
  path: '/users/{id}/onboarding',
  summary: 'List the remaining steps of a user before live mode',
  description: 'Users can read themselves, operators of the service can read everyone.',
  access: 'user',
  scope: [{ resource: 'user_onboarding', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Onboarding },
})

export const readAutomationConstants = operation({
  ...user,
  id: 'users.read_automation_constants',
  method: 'GET',
  path: '/users/me/automation-constants',
  summary: 'Read an access token and ids for trying the API',
  description: 'Requires a recent sign-in, because the token is valid for a day.',
  access: 'user',
  scope: [{ resource: 'users', action: 'read_one' }],
  answer: { kind: 'json', status: 200, schema: AutomationConstants },
  errors: ['step_up_required'],
  secrets: ['accessToken'],
})

export const readListeningToken = operation({
  ...user,
  variant: 'current',
  id: 'users.read_listening_token',
  method: 'GET',
  path: '/users/me/listening-token',
  summary: 'Read a short-lived password for the event broker',
  description:
    'The token opens the event broker with the rights of the session, and is refused by every operation of the API.',
  access: 'user',
  scope: [{ resource: 'users', action: 'read_one' }],
  answer: { kind: 'json', status: 200, schema: ListeningToken },
  secrets: ['accessToken'],
})

export const readUser = operation({
  ...user,
  id: 'users.read',
  method: 'GET',
  path: '/users/{id}',
  summary: 'Read a user',
  description: 'Users can read themselves, operators of the service can read everyone.',
  access: 'user',
  scope: [{ resource: 'users', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: UserResponse },
})

export const updateUser = operation({
  ...user,
  id: 'users.update',
  method: 'PATCH',
  path: '/users/{id}',
  summary: 'Change a user',
  description:
    'Changing the e-mail address requires a recent sign-in, and the new address must be confirmed first. Only operators of the service can change the status. Nobody can change the role.',
  access: 'user',
  scope: [{ resource: 'users', action: 'update_one' }],
  params: byId,
  body: { kind: 'json', schema: UpdateUser },
  answer: { kind: 'json', status: 200, schema: UserResponse },
  errors: ['id_mismatch', 'user_exists', 'role_missing', 'step_up_required'],
})

export const deleteUser = operation({
  ...user,
  id: 'users.delete',
  method: 'DELETE',
  path: '/users/{id}',
  summary: 'Delete a user',
  description: 'Returns the id. The last admin of a company must make another member an admin first.',
  access: 'user',
  scope: [{ resource: 'users', action: 'delete_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Id },
  errors: ['last_admin', 'step_up_required'],
})

export const unlockSignIn = operation({
  ...user,
  id: 'users.unlock_sign_in',
  method: 'DELETE',
  path: '/users/{id}/sign-in-lock',
  summary: 'End the lock of an account after failed sign-ins',
  description: 'Forgets the failed sign-ins of the user, from all addresses.',
  access: 'user',
  admin: true,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Message },
})

export const unlockSignInByLink = operation({
  ...user,
  variant: 'current',
  id: 'users.unlock_sign_in_by_link',
  method: 'POST',
  path: '/users/unlock-sign-in',
  summary: 'End the lock of an account with the link from the e-mail',
  description:
    'The owner of an account that is locked after failed sign-ins gets the link. It works once, within an hour.',
  access: 'link',
  query: linkToken,
  answer: { kind: 'json', status: 200, schema: Message },
  limit: guessing,
  idempotency: 'repeatable',
})

export const listCompaniesOfUser = operation({
  ...user,
  id: 'users.list_companies',
  method: 'GET',
  path: '/users/{id}/companies',
  summary: 'List the companies of a user',
  access: 'user',
  scope: [{ resource: 'users', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Type.Array(Company) },
  list: true,
})

export const changePassword = operation({
  ...user,
  id: 'users.change_password',
  method: 'PUT',
  path: '/users/{id}/password',
  summary: 'Change the password',
  description: 'Ends the other sessions of the user.',
  access: 'user',
  scope: [{ resource: 'users', action: 'reset' }],
  params: byId,
  body: { kind: 'json', schema: UpdatePassword },
  answer: { kind: 'json', status: 200, schema: UserResponse },
  errors: ['password_rejected', 'step_up_required'],
  limit: guessing,
})
