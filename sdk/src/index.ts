export { ApiError } from './api-error.ts'
export { type ClientOptions, createClient } from './client.ts'
export { connect, type Connection, type ConnectOptions } from './connect.ts'
export { type MillsealEvent, readEvent } from './events.ts'
export type { Patience } from './patience.ts'
export { signWebhook, type UnsignedWebhook } from './sign-webhook.ts'
export type { Credentials } from './tokens.ts'
export type { Client, ErrorResponse, OperationName } from './types.ts'
export {
  type AwaitedNotarization,
  NotarizationFailed,
  NotarizationPending,
  waitForNotarization,
} from './wait-for-notarization.ts'
export { type ReceivedWebhook, type VerifiedWebhook, verifyWebhook, WebhookRefused } from './webhooks.ts'
