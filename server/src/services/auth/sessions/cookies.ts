import { limits } from '@millseal/contract'
import { type CookieSpec, hostCookie } from '../../../http/cookies.ts'
import { type BrowserSecret, readBrowserSecret } from './browser-secret.ts'

export const signInSeconds = 15 * 60

type Cookie = {
  set(secret: BrowserSecret): string
  clear(): string
  read(header: string | undefined): BrowserSecret | undefined
}

/** Sent only with requests from pages of this server, not when a person follows a link on another site. */
const session: CookieSpec = {
  name: 'millseal',
  sameSite: 'Strict',
  seconds: limits.consoleSession.seconds,
}

/** Also sent when an external issuer, another site, redirects the browser back. */
const signIn: CookieSpec = { name: 'millseal-signin', sameSite: 'Lax', seconds: signInSeconds }

const secretCookie = (publicUrl: string, spec: CookieSpec): Cookie => {
  const { set, clear, read } = hostCookie(publicUrl, spec)
  return {
    set: (secret) => set(secret.reveal()),
    clear,
    read: (header) => readBrowserSecret(read(header)),
  }
}

export const sessionCookie = (publicUrl: string): Cookie => secretCookie(publicUrl, session)
export const signInCookie = (publicUrl: string): Cookie => secretCookie(publicUrl, signIn)
