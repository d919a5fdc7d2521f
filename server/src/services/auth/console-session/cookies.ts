import { limits } from '@millseal/contract'
import { type BrowserSecret, readBrowserSecret } from './browser-secret.ts'

export const signInSeconds = 15 * 60

type Cookie = {
  set(secret: BrowserSecret): string
  clear(): string
  read(header: string | undefined): BrowserSecret | undefined
}

type Spec = { readonly name: string; readonly sameSite: 'Strict' | 'Lax'; readonly seconds: number }

/** Sent only with requests from pages of this server, not when a person follows a link on another site. */
const session: Spec = { name: 'millseal', sameSite: 'Strict', seconds: limits.consoleSession.seconds }

/** Also sent when an external issuer, another site, redirects the browser back. */
const signIn: Spec = { name: 'millseal-signin', sameSite: 'Lax', seconds: signInSeconds }

/** `__Host-` binds a cookie to exactly this host. Browsers allow it over HTTPS only. */
const cookie = (publicUrl: string, { name, sameSite, seconds }: Spec): Cookie => {
  const isSecure = publicUrl.startsWith('https:')
  const fullName = `${isSecure ? '__Host-' : ''}${name}`
  const write = (value: string, maxAge: number) =>
    [
      `${fullName}=${value}`,
      'Path=/',
      `Max-Age=${maxAge}`,
      'HttpOnly',
      `SameSite=${sameSite}`,
      ...(isSecure ? ['Secure'] : []),
    ].join('; ')
  return {
    set: (secret) => write(secret.reveal(), seconds),
    clear: () => write('', 0),
    read: (header) => readBrowserSecret(valueOf(header, fullName)),
  }
}

export const sessionCookie = (publicUrl: string): Cookie => cookie(publicUrl, session)
export const signInCookie = (publicUrl: string): Cookie => cookie(publicUrl, signIn)

const valueOf = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
