import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Deleted, output } from '../shapes/common.ts'
import { CreateMailHook, MailHook, UpdateMailHook } from '../shapes/mails.ts'
import { mailStatusHeaders } from '../webhooks.ts'

/** An application can only use mail hooks of its own mode and for resources its scopes cover. */
const mailhooks = {
  service: 'pipe-service',
  variant: 'both',
  access: 'bearer',
  company: 'required',
  mode: 'record',
} as const

export const createMailHook = operation({
  ...mailhooks,
  id: 'mailhooks.create',
  method: 'POST',
  path: '/mailhooks',
  summary: 'Register a mail hook',
  description: `The company gets an e-mail for each event in the scopes, at its own addresses or, if it has none, those of its admins. A company can have ${limits.mailHooksPerCompany} mail hooks.`,
  scope: [{ resource: 'mailhooks', action: 'create_one' }],
  body: { kind: 'json', schema: CreateMailHook },
  answer: { kind: 'json', status: 201, schema: MailHook },
  errors: ['scope_unknown', 'mail_hook_limit_reached'],
})

export const listMailHooks = operation({
  ...mailhooks,
  id: 'mailhooks.list',
  method: 'GET',
  path: '/mailhooks',
  summary: 'List the mail hooks of the company',
  scope: [{ resource: 'mailhooks', action: 'read_many' }],
  answer: { kind: 'json', status: 200, schema: Type.Array(MailHook) },
  list: true,
})

export const readMailHook = operation({
  ...mailhooks,
  id: 'mailhooks.read',
  method: 'GET',
  path: '/mailhooks/{id}',
  summary: 'Read a mail hook and its mails of the past month',
  scope: [{ resource: 'mailhooks', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: MailHook },
})

export const updateMailHook = operation({
  ...mailhooks,
  id: 'mailhooks.update',
  method: 'PATCH',
  path: '/mailhooks/{id}',
  summary: 'Change a mail hook',
  scope: [{ resource: 'mailhooks', action: 'update_one' }],
  params: byId,
  body: { kind: 'json', schema: UpdateMailHook },
  answer: { kind: 'json', status: 200, schema: MailHook },
  errors: ['id_mismatch', 'scope_unknown'],
})

export const deleteMailHook = operation({
  ...mailhooks,
  id: 'mailhooks.delete',
  method: 'DELETE',
  path: '/mailhooks/{id}',
  summary: 'Delete a mail hook',
  scope: [{ resource: 'mailhooks', action: 'delete_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Deleted },
})

export const receiveMailStatus = operation({
  service: 'pipe-service',
  variant: 'both',
  id: 'mailhooks.receive_status',
  method: 'POST',
  path: '/mailhooks/webhooks',
  summary: 'Receive the delivery status of e-mails from the mail provider',
  description:
    'Only for the mail provider, in the format of the signed event webhook of SendGrid. Rejected if the signature is wrong or old.',
  access: 'public',
  action: { resource: 'mailhooks', action: 'validate_one' },
  headers: Type.Object({
    [mailStatusHeaders.signature]: Type.Optional(
      Type.String({
        description: 'Base64 of the ECDSA P-256 signature with SHA-256 over timestamp and body',
      }),
    ),
    [mailStatusHeaders.timestamp]: Type.Optional(Type.String({ description: 'Unix seconds' })),
  }),
  body: { kind: 'document', accepts: ['application/json'] },
  answer: { kind: 'json', status: 200, schema: output('MailStatusReceivedDto', { success: Type.Boolean() }) },
  errors: ['signature_invalid'],
  limit: { perMinute: limits.callbackCallsPerMinute },
  idempotency: 'repeatable',
})
