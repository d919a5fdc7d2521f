import { JsonObject } from '../shapes/common.ts'
import { webhookHeaders } from '../webhooks.ts'
import type { JsonMap, SchemaComponents } from './schemas.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

/** The request to a webhook. */
export const writeWebhook = (components: SchemaComponents): JsonMap => ({
  post: {
    operationId: 'webhooks.event',
    tags: ['hooks'],
    summary: 'An event sent to the connectionUrl of a webhook',
    description:
      'The body is the payload of the event as compact JSON with sorted keys: the certificate for certificates, the record for other resources. If the webhook uses a form, the payload is in the field `payload`. Accept the request only if a signature matches and its time differs from yours by at most 5 seconds. All attempts to deliver an event have the same id.',
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
        'The signature of the Standard Webhooks specification. While a secret is rotated, there are two.',
      ),
      header(webhookHeaders.resource, 'The resource of the event.'),
      header(webhookHeaders.action, 'The action of the event.'),
      header(webhookHeaders.mode, '`test` or `live`.'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.write(JsonObject) } },
    },
    responses: {
      200: { description: 'Received' },
      401: { description: 'The signature does not match or is too old' },
      410: { description: 'Disables the webhook' },
    },
  },
})
