import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Deleted } from '../shapes/common.ts'
import {
  ConfirmTotp,
  CreatePasskey,
  CreateTotp,
  DeleteTotp,
  Mfa,
  PasskeyCreated,
  PasskeyOptions,
  RecoveryCodes,
  Totp,
  TotpConfirmed,
} from '../shapes/mfa.ts'

const mfa = { service: 'user-service', variant: 'current', access: 'user' } as const
const change = [{ resource: 'users', action: 'update_one' }] as const

export const readMfa = operation({
  ...mfa,
  id: 'mfa.read',
  method: 'GET',
  path: '/users/me/mfa',
  summary: 'List the authenticators and passkeys of the user',
  scope: [{ resource: 'users', action: 'read_one' }],
  answer: { kind: 'json', status: 200, schema: Mfa },
})

export const createTotp = operation({
  ...mfa,
  id: 'mfa.create_totp',
  method: 'POST',
  path: '/users/me/mfa/totp',
  summary: 'Add an authenticator',
  description:
    'Scan the QR code or type the secret, then confirm with a code. Nothing changes until you confirm.',
  scope: change,
  body: { kind: 'json', schema: CreateTotp },
  answer: { kind: 'json', status: 201, schema: Totp },
  errors: ['step_up_required'],
  secrets: ['secret', 'otpauthUri', 'qrSvg'],
})

export const confirmTotp = operation({
  ...mfa,
  id: 'mfa.confirm_totp',
  method: 'POST',
  path: '/users/me/mfa/totp/{id}/confirm',
  summary: 'Confirm an authenticator with its code',
  description:
    'The first factor enables MFA, and only this answer contains the recovery codes. All other sessions end.',
  scope: change,
  params: byId,
  body: { kind: 'json', schema: ConfirmTotp },
  answer: { kind: 'json', status: 200, schema: TotpConfirmed },
  errors: ['mfa_code_wrong', 'mfa_locked', 'authenticator_confirmed'],
  limit: { perMinute: limits.credentialCallsPerMinute },
  secrets: ['recoveryCodes'],
})

export const deleteTotp = operation({
  ...mfa,
  id: 'mfa.delete_totp',
  method: 'DELETE',
  path: '/users/me/mfa/totp/{id}',
  summary: 'Remove an authenticator',
  description:
    'Send a code of the authenticator, or a recovery code in its place; an unconfirmed authenticator needs none. All other sessions end. Removing the last factor disables MFA and the access to live mode.',
  scope: change,
  params: byId,
  body: { kind: 'json', schema: DeleteTotp, optional: true },
  answer: { kind: 'json', status: 200, schema: Deleted },
  errors: ['step_up_required', 'mfa_code_wrong', 'mfa_locked'],
  limit: { perMinute: limits.credentialCallsPerMinute },
})

export const regenerateRecoveryCodes = operation({
  ...mfa,
  id: 'mfa.regenerate_recovery_codes',
  method: 'POST',
  path: '/users/me/mfa/recovery-codes',
  summary: 'Replace the recovery codes',
  description:
    'Ten codes, each of which replaces a second factor once. Only this answer contains them. The previous codes stop working, and all other sessions end.',
  scope: change,
  answer: { kind: 'json', status: 201, schema: RecoveryCodes },
  errors: ['mfa_not_enabled', 'step_up_required'],
  secrets: ['recoveryCodes'],
})

export const createPasskeyOptions = operation({
  ...mfa,
  id: 'mfa.create_passkey_options',
  method: 'POST',
  path: '/users/me/mfa/passkeys/options',
  summary: 'Start adding a passkey',
  description:
    'Pass the options to `navigator.credentials.create` of the browser within ten minutes. Nothing changes until you send what it returns.',
  scope: change,
  answer: { kind: 'json', status: 201, schema: PasskeyOptions },
  errors: ['step_up_required', 'passkeys_unavailable'],
  idempotency: 'repeatable',
})

export const createPasskey = operation({
  ...mfa,
  id: 'mfa.create_passkey',
  method: 'POST',
  path: '/users/me/mfa/passkeys',
  summary: 'Add a passkey',
  description:
    'The first factor enables MFA, and only this answer contains the recovery codes. All other sessions end.',
  scope: change,
  body: { kind: 'json', schema: CreatePasskey },
  answer: { kind: 'json', status: 201, schema: PasskeyCreated },
  errors: ['step_up_required', 'passkeys_unavailable', 'passkey_refused'],
  limit: { perMinute: limits.credentialCallsPerMinute },
  secrets: ['recoveryCodes'],
})

export const deletePasskey = operation({
  ...mfa,
  id: 'mfa.delete_passkey',
  method: 'DELETE',
  path: '/users/me/mfa/passkeys/{id}',
  summary: 'Remove a passkey',
  description: 'All other sessions end. Removing the last factor disables MFA and the access to live mode.',
  scope: change,
  params: byId,
  answer: { kind: 'json', status: 200, schema: Deleted },
  errors: ['step_up_required'],
})
