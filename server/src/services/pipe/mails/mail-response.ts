import type { Mail } from '@millseal/contract'
import { readReasons } from '../../../lib/stored-reasons.ts'
import type { StoredMail, StoredMailAttempt } from './mails.store.ts'

/** What only the answer for a single mail contains. */
type Details = { readonly payload: Uint8Array; readonly attempts: readonly StoredMailAttempt[] }

export const toMailResponse = (mail: StoredMail, details?: Details): Mail => {
  const { deliveryError, errorStatus, claim, nextAttemptAt } = mail
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
      { type: 'text/plain', value: mail.textContent },
      { type: 'text/html', value: mail.htmlContent },
    ],
    delivered: mail.delivered,
    deliveryError: deliveryError ?? undefined,
    reasons: readReasons({ error: deliveryError, reasons: mail.reasons }),
    error: deliveryError === null ? undefined : { message: deliveryError, status: errorStatus ?? undefined },
    // While the mail is being sent, the column says when the claim ends.
    nextAttemptAt: claim === null ? nextAttemptAt?.toISOString() : undefined,
    hook: { id: mail.mailHookId },
    ...(details && detailsOf(mail, details)),
  }
}

const detailsOf = (
  mail: StoredMail,
  { payload, attempts }: Details,
): Pick<Mail, 'attachments' | 'attempts'> => ({
  attachments: [
    {
      filename: mail.attachmentName,
      type: 'application/json',
      disposition: 'attachment',
      content: Buffer.from(payload).toString('base64'),
    },
  ],
  attempts: attempts.map(({ startedAt, durationMs, error, reasons }) => ({
    startedAt: startedAt.toISOString(),
    durationMs,
    error: error ?? undefined,
    reasons: readReasons({ error, reasons }),
  })),
})
