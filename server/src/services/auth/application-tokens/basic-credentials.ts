import { Secret } from '../../../lib/secret.ts'
import type { ClientCredentials } from './application-token.ts'

/**
 * RFC 6749 §2.3.1: client id and secret, form-encoded each, then joined and encoded as HTTP Basic requires. Undefined if
 * the header has another scheme, such as a stale bearer token; empty credentials if it cannot be read.
 */
export const readBasicCredentials = (header: Secret | undefined): ClientCredentials | undefined => {
  const encoded = /^basic(?: +(.*))?$/i.exec(header?.reveal().trim() ?? '')
  if (encoded === null) return undefined
  const text = Buffer.from(encoded[1] ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const clientId = formDecoded(text.slice(0, Math.max(colon, 0)))
  const clientSecret = formDecoded(text.slice(colon + 1))
  if (colon === -1 || clientId === undefined || clientSecret === undefined) {
    return { clientId: '', clientSecret: new Secret('') }
  }
  return { clientId, clientSecret: new Secret(clientSecret) }
}

/** PostgreSQL text cannot contain U+0000, so no client id does. */
const formDecoded = (text: string): string | undefined => {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\u0000') ? undefined : decoded
  } catch {
    return undefined
  }
}
