import { limits } from '@millseal/contract'
import { type BrowserSecret, readBrowserSecret } from './browser-secret.ts'

export const signInSeconds = 15 * 60

type Cookie = {
  set(secret: BrowserSecret): string
  clear(): string
  read(header: string | undefined): BrowserSecret | undefined
}

type Spec = { readonly name: string; readonly sameSite: 'Strict' | 'Lax'; readonly seconds: number }

/** Sent with calls of our own pages only: no other site needs it, not even by a link. */
const session: Spec = { name: 'millseal', sameSite: 'Strict', seconds: limits.consoleSession.seconds }

/** An external issuer sends the browser back from another site, and this must come along. */
const signIn: Spec = { name: 'millseal-signin', sameSite: 'Lax', seconds: signInSeconds }

/** `__Host-` binds a cookie to this very host, which browsers grant over HTTPS only. */
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
