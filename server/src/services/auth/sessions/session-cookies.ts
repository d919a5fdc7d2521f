import { limits } from '@millseal/contract'
import type { Secret } from '../../../lib/secret.ts'
import { sessionCookie } from './cookies.ts'

/**
 * The earlier variant of the API also sends both tokens as cookies. `__Host-` binds them to this host and needs HTTPS.
 * The server never accepts them as credentials, because a browser attaches them unasked; clients send the headers.
 */
export const sessionCookies = ({
  accessToken,
  refreshToken,
  refreshSeconds = limits.refreshTokenSeconds,
  publicUrl,
}: {
  readonly accessToken: Secret
  readonly refreshToken: Secret
  /** The remaining lifetime of the session. The default is that of a new one. */
  readonly refreshSeconds?: number
  readonly publicUrl: string
}): string[] => [
  cookie(publicUrl, 'accessToken', accessToken.reveal(), limits.sessionAccessTokenSeconds),
  cookie(publicUrl, 'refreshToken', refreshToken.reveal(), refreshSeconds),
]

export const clearedCookies = (publicUrl: string): string[] => [
  cookie(publicUrl, 'accessToken', '', 0),
  cookie(publicUrl, 'refreshToken', '', 0),
  sessionCookie(publicUrl).clear(),
]

const cookie = (publicUrl: string, name: string, value: string, seconds: number): string => {
  const isSecure = publicUrl.startsWith('https:')
  return [
    `${isSecure ? '__Host-' : ''}${name}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
}
