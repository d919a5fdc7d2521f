import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { onOff, suppressionReasons } from '../vocabulary.ts'
import { Email, Id, input, oneOf, output, repeatedId, stored, Timestamp } from './common.ts'
import { delivery } from './deliveries.ts'
import { HookScopes } from './hooks.ts'
import { CompanyReference } from './people.ts'

const Description = Type.String(limits.description)

export const CreateMailHook = input('CreateMailHookDto', {
  status: Type.Optional(oneOf(onOff, { default: 'enabled' })),
  scopes: HookScopes,
  description: Type.Optional(Description),
})
export type CreateMailHook = Static<typeof CreateMailHook>

export const UpdateMailHook = input('UpdateMailHookDto', {
  ...repeatedId,
  status: Type.Optional(oneOf(onOff)),
  scopes: Type.Optional(HookScopes),
  description: Type.Optional(Description),
})
export type UpdateMailHook = Static<typeof UpdateMailHook>

export const Mail = output('MailDto', {
  ...delivery,
  to: Type.Array(Email),
  cc: Type.Optional(Type.Array(Email)),
  // No e-mail format: the operator may set an address of a host without a domain.
  from: Type.String({ description: 'The sender address set by the operator' }),
  subject: Type.String(limits.mailSubject),
  content: Type.Array(
    output('MailContentDto', { value: Type.String(), type: oneOf(['text/html', 'text/plain']) }),
  ),
  attachments: Type.Optional(
    Type.Array(
      output('MailAttachmentDto', {
        content: Type.String({ contentEncoding: 'base64' }),
        filename: Type.String(limits.attachmentName),
        type: Type.Optional(
          oneOf(['application/json', 'application/pdf', 'image/jpeg', 'image/png', 'image/svg+xml']),
        ),
        disposition: Type.Optional(Type.String()),
        contentId: Type.Optional(Type.String()),
      }),
      { description: 'Only if a single record is read' },
    ),
  ),
  hook: Type.Optional(
    output(
      'MailHookReferenceDto',
      { id: Id },
      { description: 'Missing if the e-mail belongs to no mail hook' },
    ),
  ),
})
export type Mail = Static<typeof Mail>

export const Suppression = output('SuppressionDto', {
  id: Id,
  createdAt: Timestamp,
  address: Type.String({ description: 'The e-mail address, in lower case' }),
  reason: oneOf(suppressionReasons, {
    description: 'hard_bounce: the address does not exist; soft_bounces: several temporary failures',
  }),
  detail: Type.Optional(Type.String({ description: 'What the mail provider said' })),
})
export type Suppression = Static<typeof Suppression>

export const MailHook = output('MailHookDto', {
  ...stored,
  description: Type.Optional(Description),
  status: oneOf(onOff),
  scopes: HookScopes,
  owner: CompanyReference,
  mails: Type.Optional(
    Type.Array(Mail, { description: 'The e-mails of the past month, only if a single mail hook is read' }),
  ),
})
export type MailHook = Static<typeof MailHook>
