import type { IncomingHttpHeaders } from 'node:http'

type Request = { readonly method: string; readonly headers: IncomingHttpHeaders }

const safeMethods = ['GET', 'HEAD']

/**
 * Whether our own pages, and no other site, made the browser send this. A sibling host is another site. What changes
 * something must say where it comes from; what only reads may leave that out, as browsers do.
 */
export const isFromOwnPages = ({ method, headers }: Request, publicUrl: string): boolean => {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin !== undefined) return origin === new URL(publicUrl).origin
  return safeMethods.includes(method)
}
