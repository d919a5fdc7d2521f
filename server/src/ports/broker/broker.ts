import type { TopicOwner } from '@millseal/contract'
import type { Secret } from '../../lib/secret.ts'

export type BrokerMessage = {
  /** A concrete one: its mode is a mode, no wildcard. */
  readonly topic: string
  readonly payload: Uint8Array
  /** The id of the event, a UUID. */
  readonly messageId: string
}

/**
 * Where events are published. All a relay needs.
 *
 * When `publish` resolves the message is durable: it survives `kill -9` of every process, and reaches each subscriber
 * that has a persistent session, connected or away for less than 30 minutes. Those without one hear of it only while
 * connected. Messages whose `publish` was awaited one after the other arrive in that order. When it rejects, the message
 * may have been taken nevertheless: publish it again, with the same id. Delivery is at least once; who gets the same
 * id again while the first is still waiting gets it once.
 */
export interface BrokerPublisher {
  publish(message: BrokerMessage, signal?: AbortSignal): Promise<void>
}

/** What a client presents to be let in. */
export type BrokerCredentials = {
  readonly username: string
  readonly password: Secret
  readonly clientId: string
}

/** Somebody who was let in, and what they may hear until when. */
export type BrokerGuest = {
  readonly owner: { readonly kind: TopicOwner; readonly id: string }
  /** `kind:id` of the record that their token stands for; when it changes, they are asked about again. */
  readonly holder: string
  /** When the token ends. */
  readonly untilMs: number
  /** Topic filters that together match what they may hear. Data, so that a broker can keep it for those who are away. */
  readonly hears: readonly string[]
  /** The same guest by the records of now; nothing when the token no longer counts. */
  again(): Promise<BrokerGuest | undefined>
}

export type BrokerRefusal = 'credentials' | 'client_id'

/** Decides who comes in. Rejects only when it cannot tell, a lost database for example. */
export interface Gatekeeper {
  admit(credentials: BrokerCredentials): Promise<BrokerGuest | BrokerRefusal>
}

export interface Broker extends BrokerPublisher, AsyncDisposable {
  /** Rejects with one line that names the cause where clients could not be served, a taken port for example. */
  start(gatekeeper: Gatekeeper): Promise<void>
  /** Resolves when messages could be published now; rejects with the reason, at the latest when the signal aborts. */
  check(signal: AbortSignal): Promise<void>
}
