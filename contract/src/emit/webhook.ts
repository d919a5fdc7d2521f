import { JsonObject } from '../shapes/common.ts'
import { webhookHeaders } from '../webhooks.ts'
import type { JsonMap, SchemaComponents } from './schemas.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

/** The request that a registered webhook receives. */
export const writeWebhook = (components: SchemaComponents): JsonMap => ({
  post: {
    operationId: 'webhooks.event',
    tags: ['hooks'],
    summary: 'An event, sent to the connectionUrl of a webhook',
    description:
      'The body is the payload of the event as compact JSON with sorted keys: the certificate itself for certificates, the record for other resources; where a form was asked for, its field payload. Accept it only when a signature matches and its time is within 5 seconds of yours; the id stays the same when a delivery is repeated.',
    security: [],
    parameters: [
      header(
        webhookHeaders.signature,
        '`t=<unix seconds>,h=<hex HMAC-SHA256 of the body>`, keyed with the secret.',
      ),
      header(webhookHeaders.id, 'The id of the event.'),
      header(webhookHeaders.timestamp, 'Unix seconds of this attempt.'),
      header(
        webhookHeaders.standardSignature,
        'The signature by the Standard Webhooks specification; two of them while a secret is rotated.',
      ),
      header(webhookHeaders.resource, 'The resource the event is about.'),
      header(webhookHeaders.action, 'What happened to it.'),
      header(webhookHeaders.mode, '`test` or `live`.'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.write(JsonObject) } },
    },
    responses: {
      200: { description: 'Received' },
      401: { description: 'The signature does not match or is too old' },
      410: { description: 'Send no more: disables the webhook' },
    },
  },
})
