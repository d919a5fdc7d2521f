import type { FastifyInstance, FastifyRequest } from 'fastify'
import { browserOf, clientOf, enter, goOn, pageOptions } from './browser-replies.ts'
import { sessionCookie, signInCookie } from './cookies.ts'
import type { FinishSignIn } from './finish-sign-in.ts'
import type { startSignIn } from './start-sign-in.ts'

type Dependencies = {
  readonly start: ReturnType<typeof startSignIn>
  readonly finish: FinishSignIn
  readonly publicUrl: () => string
  /** Where our own code is asked for, after an issuer that does not ask for it. */
  readonly codeAddress: string
}

const perMinute = 30

/** The browser's way in: off to the issuer, back with a code, and on with a session in a cookie. */
export const mountConsoleSession = (
  server: FastifyInstance,
  { start, finish, publicUrl, codeAddress }: Dependencies,
): void => {
  server.get(
    '/auth/login',
    pageOptions(publicUrl, { bucket: 'console.start', perMinute }),
    async (request, reply) => {
      const home = underPublicName(request, publicUrl())
      if (home !== undefined) return goOn(reply, home)
      const { return_to: returnTo, again } = request.query as Readonly<Record<string, unknown>>
      const session = sessionCookie(publicUrl()).read(request.headers.cookie)
      const { browser, location } = await start({ returnTo, again: again !== undefined, session })
      return goOn(reply, location, browser === undefined ? [] : [signInCookie(publicUrl()).set(browser)])
    },
  )
  server.get(
    '/auth/callback',
    pageOptions(publicUrl, { bucket: 'console.callback', perMinute }),
    async (request, reply) => {
      const callback = new URL(`${publicUrl()}/auth/callback`)
      callback.search = searchOf(request)
      const browser = browserOf(request, publicUrl)
      const opened = await finish.callback(browser, callback, clientOf(request))
      return opened === undefined ? goOn(reply, codeAddress) : enter(reply, publicUrl, opened)
    },
  )
}

/** Under another name of this host the cookie would stay behind. Asked once: behind some proxies all names are other ones. */
const underPublicName = (request: FastifyRequest, publicUrl: string): string | undefined => {
  const search = new URLSearchParams(searchOf(request))
  if (search.has('moved') || request.host === new URL(publicUrl).host) return undefined
  search.set('moved', '1')
  return `${publicUrl}/auth/login?${search.toString()}`
}

const searchOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
