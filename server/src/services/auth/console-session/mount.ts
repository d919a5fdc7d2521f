import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuthDependencies } from '../dependencies.ts'
import {
  browserOf,
  clientOf,
  codeAddress,
  pageOptions,
  redirectTo,
  signedInReply,
} from './browser-replies.ts'
import { sessionCookie, signInCookie } from '../sessions/cookies.ts'
import { finishSignIn } from './finish-sign-in.ts'
import type { Issuer } from './issuer.ts'
import { startSignIn } from './start-sign-in.ts'

const perMinute = 30

/** Serves the sign-in of a browser: redirects it to the issuer, and gives it a session cookie when it comes back. */
export const mountConsoleSession = (
  server: FastifyInstance,
  deps: AuthDependencies,
  issuer: Issuer,
): void => {
  const { publicUrl } = deps
  server.get(
    '/auth/login',
    pageOptions(publicUrl, { bucket: 'console.start', perMinute }),
    async (request, reply) => {
      const moved = underPublicName(request, publicUrl())
      if (moved !== undefined) return redirectTo(reply, moved)
      const { return_to: returnTo, again } = request.query as Readonly<Record<string, unknown>>
      const session = sessionCookie(publicUrl()).read(request.headers.cookie)
      const { browser, location } = await startSignIn(deps, issuer, {
        returnTo,
        again: again !== undefined,
        session,
      })
      return redirectTo(reply, location, browser && [signInCookie(publicUrl()).set(browser)])
    },
  )
  server.get(
    '/auth/callback',
    pageOptions(publicUrl, { bucket: 'console.callback', perMinute }),
    async (request, reply) => {
      const callback = new URL(`${publicUrl()}/auth/callback`)
      callback.search = searchOf(request)
      const browser = browserOf(request, publicUrl)
      const opened = await finishSignIn(deps, issuer, { browser, callback, client: clientOf(request) })
      return opened === undefined ? redirectTo(reply, codeAddress) : signedInReply(reply, publicUrl, opened)
    },
  )
}

/**
 * Redirects a browser that uses another name of this host, because its cookie would not be sent to the public name.
 * Redirects only once, because behind some proxies the name never matches.
 */
const underPublicName = (request: FastifyRequest, publicUrl: string): string | undefined => {
  const search = new URLSearchParams(searchOf(request))
  if (search.has('moved') || request.host === new URL(publicUrl).host) return undefined
  search.set('moved', '1')
  return `${publicUrl}/auth/login?${search.toString()}`
}

const searchOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
