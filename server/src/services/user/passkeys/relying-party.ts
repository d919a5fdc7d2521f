import { isIP } from 'node:net'

export type RelyingParty = { readonly id: string; readonly origin: string }

/**
 * Passkeys belong to the host of the public URL. Undefined where browsers allow none: at an IP address, or without HTTPS
 * except on `localhost`.
 */
export const relyingParty = (publicUrl: string): RelyingParty | undefined => {
  const { hostname, origin, protocol } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0
  return isAddress || (protocol !== 'https:' && !isLocal) ? undefined : { id: hostname, origin }
}
