import type { IncomingHttpHeaders } from 'node:http'

const safeMethods = ['GET', 'HEAD']

/**
 * Whether a page of this server, and no other site, made the browser send the request. A sibling host counts as another
 * site. Requests that change something must name their origin; those that only read may omit it, as browsers do.
 */
export const isFromOwnPages = (
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  publicUrl: string,
): boolean => {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin !== undefined) return origin === new URL(publicUrl).origin
  return safeMethods.includes(method)
}
