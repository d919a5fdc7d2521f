export type Parcel = {
  readonly url: string
  /** Beside those that every request of HTTP needs. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the TLS certificate of the receiver must be valid; everything else is checked either way. */
  readonly verifyCertificate: boolean
  readonly signal: AbortSignal
}

export type Receipt = {
  readonly status: number
  /** As it was sent. */
  readonly retryAfter: string | undefined
  /** The first 16 kB at most. */
  readonly answer: Uint8Array
}

/**
 * Carries requests to addresses that strangers chose.
 *
 * No connection is ever made to an address that is not public, unless the operator named the target; redirects are not
 * followed. `post` makes one attempt and ends by its own deadlines: it resolves with whatever status the receiver
 * answered, and rejects with `NotDelivered` where there was no answer. Whether to try again is for the caller to say.
 */
export interface Courier extends AsyncDisposable {
  post(parcel: Parcel): Promise<Receipt>
  /** Why this URL can never be a target, as far as its form tells; names are only resolved when they are called. */
  refusalOf(url: URL): string | undefined
  /** Whether the operator named this target as one that may be private. */
  isNamedByOperator(url: URL): boolean
}

/** The message is for the owner of the webhook: it tells nothing of the network this service stands in. */
export class NotDelivered extends Error {
  override readonly name = 'NotDelivered'
}
