/** Headers of every webhook request, in addition to content-type and the headers of the webhook. */
export const webhookHeaders = {
  /** `t=<unix seconds>,h=<hex HMAC-SHA256 of the body>` */
  signature: 'signature',
  /** Standard Webhooks: the id is the same for all attempts. */
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  standardSignature: 'webhook-signature',
  resource: 'event-resource',
  action: 'event-action',
  mode: 'event-mode',
} as const

/** Signature headers of the event webhook of SendGrid. */
export const mailStatusHeaders = {
  signature: 'x-twilio-email-event-webhook-signature',
  timestamp: 'x-twilio-email-event-webhook-timestamp',
} as const
