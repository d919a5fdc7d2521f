import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Email, Id, Message } from '../shapes/common.ts'
import { Company } from '../shapes/companies.ts'
import {
  AutomationConstants,
  CreateUser,
  Onboarding,
  UpdatePassword,
  UpdateUser,
  UserResponse,
} from '../shapes/users.ts'

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
  description: 'The user confirms the e-mail address by the link mailed to it before signing in.',
  access: 'public',
  action: { resource: 'users', action: 'create_one' },
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
  summary: 'Mail the confirmation link again',
  description: 'Answers the same whether or not the address is known.',
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
  description: 'The target of the mailed link; redirects to the console.',
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
  summary: 'Mail a link for setting a new password',
  description: 'Answers the same whether or not the address is known.',
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
    'The target of the mailed link; redirects to the console, which sets the password with the same token.',
  access: 'link',
  query: linkToken,
  answer: { kind: 'redirect', status: 302 },
})

export const resetPassword = operation({
  ...user,
  id: 'users.reset_password',
  method: 'POST',
  path: '/users/reset-password',
  summary: 'Set a new password by a mailed link',
  description: 'Uses the link up and ends all sessions of the user.',
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
  summary: 'All users',
  access: 'user',
  scope: [{ resource: 'users', action: 'read_many' }],
  admin: true,
  answer: { kind: 'json', status: 200, schema: Type.Array(UserResponse) },
  list: true,
})

export const readMe = operation({
  ...user,
  id: 'users.read_me',
  method: 'GET',
  path: '/users/me',
  summary: 'The signed-in user and the companies attached',
  access: 'user',
  scope: [{ resource: 'users', action: 'read_one' }],
  answer: { kind: 'json', status: 200, schema: UserResponse },
})

export const readOnboarding = operation({
  ...user,
  id: 'users.read_onboarding',
  method: 'GET',
  path: '/users/me/onboarding',
  summary: 'What is left to do before live certificates',
  access: 'user',
  scope: [{ resource: 'user_onboarding', action: 'read_one' }],
  answer: { kind: 'json', status: 200, schema: Onboarding },
})

export const readOnboardingOfUser = operation({
  ...user,
  id: 'users.read_onboarding_of',
  method: 'GET',
  path: '/users/{id}/onboarding',
  summary: 'What is left to do for a user before live certificates',
  description: 'Oneself; operators of the platform read everyone.',
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
  summary: 'Access token and ids, for trying the API by hand',
  description: 'Asks for a recent sign-in, because the token it shows is good for a day.',
  access: 'user',
  scope: [{ resource: 'users', action: 'read_one' }],
  answer: { kind: 'json', status: 200, schema: AutomationConstants },
  errors: ['step_up_required'],
  secrets: ['accessToken'],
})

export const readUser = operation({
  ...user,
  id: 'users.read',
  method: 'GET',
  path: '/users/{id}',
  summary: 'Read a user',
  description: 'Oneself; operators of the platform read everyone.',
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
    'A new e-mail address has to be confirmed before it is used, and asks for a recent sign-in. The status is changed by operators of the platform, the role by nobody.',
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
  description: 'Answers the id. The last admin of a company has to hand it over first.',
  access: 'user',
  scope: [{ resource: 'users', action: 'delete_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Id },
  errors: ['last_admin', 'step_up_required'],
})

export const listCompaniesOfUser = operation({
  ...user,
  id: 'users.list_companies',
  method: 'GET',
  path: '/users/{id}/companies',
  summary: 'The companies of a user',
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
