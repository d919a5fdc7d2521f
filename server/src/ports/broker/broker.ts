import type { TopicOwner } from '@millseal/contract'
import type { Secret } from '../../lib/secret.ts'

export type BrokerMessage = {
  /** A concrete topic: its mode is not a wildcard. */
  readonly topic: string
  readonly payload: Uint8Array
  /** The id of the event, a UUID. */
  readonly messageId: string
}

/** The broker could not be reached, so it was offered nothing. Temporary. */
export class BrokerUnavailable extends Error {
  override readonly name = 'BrokerUnavailable'
}

/**
 * Publishes events. A relay needs nothing else.
 *
 * When `publish` resolves, the messages are durable: they survive `kill -9` of every process, and reach every subscriber
 * with a persistent session that is connected or was disconnected less than 30 minutes ago. Other subscribers receive them
 * only while they are connected. Messages of one call arrive in their order, and after those of calls that were awaited
 * before. If it rejects, any of them may still have been accepted: publish them again with the same ids. Delivery is at
 * least once. A message that is published again while the first one is still queued is delivered once. Rejects with
 * `BrokerUnavailable` if no message can be the cause.
 */
export interface BrokerPublisher {
  publish(messages: readonly BrokerMessage[], signal?: AbortSignal): Promise<void>
}

/** What a client presents in its CONNECT. */
export type BrokerCredentials = {
  readonly username: string
  readonly password: Secret
  readonly clientId: string
}

export type BrokerRights = {
  readonly owner: { readonly kind: TopicOwner; readonly id: string }
  /** Topic filters that together match everything the client may hear. As data, so that a broker can store them with a session. */
  readonly hears: readonly string[]
}

/** What an authenticated client may hear, and until when. */
export type BrokerGrant = BrokerRights & {
  /** `kind:id` of the record that the token belongs to. When it changes, the client is checked again. */
  readonly holder: string
  /** When the token expires. */
  readonly untilMs: number
  /** The grant by the current records. Undefined if the token is no longer valid. */
  recheck(): Promise<BrokerGrant | undefined>
}

export type BrokerRefusal = 'credentials' | 'client_id'

/** Rejects only if it cannot decide, for example because the database is unavailable. */
export interface BrokerAuthenticator {
  authenticate(credentials: BrokerCredentials): Promise<BrokerGrant | BrokerRefusal>
}

export interface Broker extends BrokerPublisher, AsyncDisposable {
  /** Rejects with one line that names the cause if clients cannot be served, for example a port that is in use. */
  start(authenticator: BrokerAuthenticator): Promise<void>
  /** Resolves if messages can be published now. Rejects with the reason, at the latest when the signal aborts. */
  check(signal: AbortSignal): Promise<void>
}
