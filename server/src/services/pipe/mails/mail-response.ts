import type { Mail } from '@millseal/contract'
import type { StoredMail, StoredMailAttempt } from './mails.store.ts'

/** What only a single mail is read with. */
type Whole = { readonly payload: Uint8Array; readonly attempts: readonly StoredMailAttempt[] }

export const toMailResponse = (mail: StoredMail, whole?: Whole): Mail => {
  const { deliveryError, errorStatus, nextAttemptAt } = mail
  return {
    id: mail.id,
    createdAt: mail.createdAt.toISOString(),
    updatedAt: mail.updatedAt.toISOString(),
    resource: mail.resource,
    action: mail.action,
    mode: mail.mode,
    to: [mail.recipient],
    from: mail.sender,
    subject: mail.subject,
    content: [
      { type: 'text/plain', value: mail.text },
      { type: 'text/html', value: mail.html },
    ],
    delivered: mail.delivered,
    ...(deliveryError === undefined
      ? {}
      : {
          deliveryError,
          error: {
            message: deliveryError,
            ...(errorStatus === undefined ? {} : { status: errorStatus }),
          },
        }),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: nextAttemptAt.toISOString() }),
    hook: { id: mail.mailHookId },
    ...(whole === undefined ? {} : wholeOf(mail, whole)),
  }
}

const wholeOf = (mail: StoredMail, { payload, attempts }: Whole): Pick<Mail, 'attachments' | 'attempts'> => ({
  attachments: [
    {
      filename: mail.attachmentName,
      type: 'application/json',
      disposition: 'attachment',
      content: Buffer.from(payload).toString('base64'),
    },
  ],
  attempts: attempts.map(({ startedAt, durationMs, error }) => ({
    startedAt: startedAt.toISOString(),
    durationMs,
    ...(error === undefined ? {} : { error }),
  })),
})
