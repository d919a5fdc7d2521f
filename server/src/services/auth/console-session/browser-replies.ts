import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../lib/problem.ts'
import { signInErrors } from '../pages/sign-in-errors.ts'
import type { BrowserSecret } from './browser-secret.ts'
import { sessionCookie, signInCookie } from './cookies.ts'

type PublicUrl = () => string

export const clientOf = (request: FastifyRequest) => ({
  ip: request.ip,
  device: (request.headers['user-agent'] ?? '').slice(0, 200),
})

/** The browser that began to sign in here; no other can go on. */
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

export const goOn = (reply: FastifyReply, location: string, cookies: readonly string[] = []): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('set-cookie', [...cookies])
    .redirect(location, 303)

/** Signed in: on to where the person wanted to go, with the session's cookie and without that of the way here. */
export const enter = (
  reply: FastifyReply,
  publicUrl: PublicUrl,
  { session, location }: { session: BrowserSecret; location: string },
): FastifyReply =>
  goOn(reply, location, [sessionCookie(publicUrl()).set(session), signInCookie(publicUrl()).clear()])
