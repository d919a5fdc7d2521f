export { ApiError } from './api-error.ts'
export { type ClientOptions, createClient } from './client.ts'
export type { Client, ErrorResponse, OperationName } from './types.ts'
export { type ReceivedWebhook, type VerifiedWebhook, verifyWebhook, WebhookRefused } from './webhooks.ts'
