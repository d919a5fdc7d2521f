import { limits } from '@millseal/contract'
import type { Secret } from '../../lib/secret.ts'

type Session = { readonly accessToken: Secret; readonly refreshToken: Secret; readonly publicUrl: string }

/** The earlier variant also hands both tokens over as cookies. `__Host-` binds them to this host, which needs HTTPS. */
export const sessionCookies = ({ accessToken, refreshToken, publicUrl }: Session): string[] => {
  const isSecure = publicUrl.startsWith('https:')
  const cookie = (name: string, value: Secret, seconds: number) =>
    [
      `${isSecure ? '__Host-' : ''}${name}=${value.reveal()}`,
      'Path=/',
      `Max-Age=${seconds}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(isSecure ? ['Secure'] : []),
    ].join('; ')
  return [
    cookie('accessToken', accessToken, limits.sessionAccessTokenSeconds),
    cookie('refreshToken', refreshToken, limits.refreshTokenSeconds),
  ]
}
