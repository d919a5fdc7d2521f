import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Deleted } from '../shapes/common.ts'
import { ConfirmTotp, CreateTotp, DeleteTotp, Mfa, RecoveryCode, Totp, TotpConfirmed } from '../shapes/mfa.ts'

const mfa = { service: 'user-service', variant: 'current', access: 'user' } as const
const change = [{ resource: 'users', action: 'update_one' }] as const

export const readMfa = operation({
  ...mfa,
  id: 'mfa.read',
  method: 'GET',
  path: '/users/me/mfa',
  summary: 'List the authenticators of the user',
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
  description: 'The first confirmed authenticator enables MFA. Only this answer contains the recovery code.',
  scope: change,
  params: byId,
  body: { kind: 'json', schema: ConfirmTotp },
  answer: { kind: 'json', status: 200, schema: TotpConfirmed },
  errors: ['mfa_code_wrong', 'mfa_locked', 'authenticator_confirmed'],
  limit: { perMinute: limits.credentialCallsPerMinute },
  secrets: ['recoveryCode'],
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

export const regenerateRecoveryCode = operation({
  ...mfa,
  id: 'mfa.regenerate_recovery_code',
  method: 'POST',
  path: '/users/me/mfa/recovery-code',
  summary: 'Replace the recovery code',
  description: 'Only this answer contains the code. The previous code stops working.',
  scope: change,
  answer: { kind: 'json', status: 201, schema: RecoveryCode },
  errors: ['mfa_not_enabled', 'step_up_required'],
  secrets: ['recoveryCode'],
})
