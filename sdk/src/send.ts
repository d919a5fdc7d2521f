/** How a request gets to the service, and how often. */
export type Send = (request: Request, call: SendOptions) => Promise<Response>

export type SendOptions = {
  /** Sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean
  /** Carries the token of whoever calls; the calls that get a token do not. */
  readonly needsToken: boolean
}

export const sendOnce =
  (fetcher: typeof fetch): Send =>
  (request) =>
    fetcher(request)
