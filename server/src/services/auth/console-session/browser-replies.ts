import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../lib/problem.ts'
import { signInErrors } from '../pages/sign-in-errors.ts'
import type { Client } from '../sessions/open-session.ts'
import type { BrowserSecret } from '../sessions/browser-secret.ts'
import { sessionCookie, signInCookie } from '../sessions/cookies.ts'

type PublicUrl = () => string

/** The page for the code of this server, after an issuer that does not ask for it. */
export const codeAddress = '/auth/code'

export const clientOf = (request: FastifyRequest): Client => ({
  ip: request.ip,
  device: (request.headers['user-agent'] ?? '').slice(0, 200),
})

/** The browser that started the sign-in. No other browser can continue it. */
export const browserOf = ({ headers }: FastifyRequest, publicUrl: PublicUrl): BrowserSecret => {
  const browser = signInCookie(publicUrl()).read(headers.cookie)
  if (browser === undefined) throw new Problem('link_invalid')
  return browser
}

export const pageOptions = (publicUrl: PublicUrl, limited: { bucket: string; perMinute: number }) => ({
  config: { limited },
  exposeHeadRoute: false,
  errorHandler: signInErrors(publicUrl),
})

export const redirectTo = (
  reply: FastifyReply,
  location: string,
  cookies: readonly string[] = [],
): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('set-cookie', [...cookies])
    .redirect(location, 303)

/** Redirects to the destination, sets the session cookie and clears the sign-in cookie. */
export const signedInReply = (
  reply: FastifyReply,
  publicUrl: PublicUrl,
  { session, location }: { session: BrowserSecret; location: string },
): FastifyReply =>
  redirectTo(reply, location, [sessionCookie(publicUrl()).set(session), signInCookie(publicUrl()).clear()])
