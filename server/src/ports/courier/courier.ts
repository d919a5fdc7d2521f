import type { Reason } from '@millseal/contract/reasons'
import { ExplainedError } from '../../lib/explained-error.ts'

/** The number of requests that one receiver gets at once, from one process. */
export const requestsPerReceiver = 32

export type Parcel = {
  readonly url: string
  /** In addition to those that every HTTP request needs. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the TLS certificate of the receiver must be valid. All other checks always apply. */
  readonly verifyCertificate: boolean
  readonly signal: AbortSignal
}

export type Receipt = {
  readonly status: number
  /** By name in lower case; of a repeated header the first one. */
  readonly headers: Readonly<Record<string, string>>
  /** At most the first 16 kB. */
  readonly answer: Uint8Array
}

/**
 * Sends requests to URLs that users have chosen.
 *
 * Never connects to an address that is not public, unless the operator has named the target. Does not follow redirects.
 * `post` makes one attempt and ends by its own deadlines: it resolves with any status of the receiver, and rejects with
 * `NotDelivered` if there was no answer. The caller decides about retries.
 */
export interface Courier extends AsyncDisposable {
  post(parcel: Parcel): Promise<Receipt>
  /** Why this URL can never be a target, by its form. Names are only resolved when they are called. */
  refusalOf(url: URL): Reason | undefined
  /** Whether the operator has named this target, which may then be private. */
  isNamedByOperator(url: URL): boolean
}

/** The reason is for the owner of the webhook. It contains nothing about the network of this service. */
export class NotDelivered extends ExplainedError {
  override readonly name = 'NotDelivered'
  override readonly because: Reason

  constructor(because: Reason, options?: ErrorOptions) {
    super(because, options)
    this.because = because
  }
}
