/** The headers of a webhook request, beside content-type and those the hook itself adds. */
export const webhookHeaders = {
  /** `t=<unix seconds>,h=<hex HMAC-SHA256 of the body>` */
  signature: 'signature',
  /** Standard Webhooks: the id stays the same over all attempts. */
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
  resource: 'event-resource',
  action: 'event-action',
  mode: 'event-mode',
} as const

/** What a mail provider signs its callbacks with: the signed event webhook of SendGrid. */
export const mailStatusHeaders = {
  signature: 'x-twilio-email-event-webhook-signature',
  timestamp: 'x-twilio-email-event-webhook-timestamp',
} as const
