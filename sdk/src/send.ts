/** Sends a request, possibly several times. */
export type Send = (request: Request, call: SendOptions) => Promise<Response>

export type SendOptions = {
  /** Sending it twice has the same effect as sending it once. */
  readonly isRepeatable: boolean
  /** True if the operation needs an access token. */
  readonly needsToken: boolean
}

export const sendOnce =
  (fetcher: typeof fetch): Send =>
  (request) =>
    fetcher(request)
