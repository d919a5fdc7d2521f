import { createHash } from 'node:crypto'
import { type Markup, markup } from '@millseal/families'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../../lib/problem.ts'
import { Secret } from '../../lib/secret.ts'
import { type Cookie, hostCookie } from '../cookies.ts'
import { isFromOwnPages } from '../same-origin.ts'

type Kind = 'password' | 'invitation' | 'unlock'

const cookieSeconds = 60 * 60

/** The token of a mailed link that was opened. `Lax`, because the mail may be shown on another site. */
export const linkCookie = (publicUrl: string, kind: Kind): Cookie =>
  hostCookie(publicUrl, { name: `millseal-${kind}-link`, sameSite: 'Lax', seconds: cookieSeconds })

/**
 * A mailed link to a page with a form. The link has the token in its query; the server moves it to a cookie and opens the
 * page without it, so that the address, the history and other sites do not get it.
 */
export const mailedLink = (kind: Kind, path: string, publicUrl: () => string) => ({
  /** The token in the query, if the link was just opened. */
  openedToken({ query }: FastifyRequest): Secret | undefined {
    const { token } = query as Readonly<Record<string, unknown>>
    return typeof token === 'string' ? new Secret(token) : undefined
  },
  keep: (reply: FastifyReply, token: Secret): FastifyReply =>
    reply
      .header('cache-control', 'no-store')
      .header('set-cookie', linkCookie(publicUrl(), kind).set(token.reveal()))
      .redirect(`${publicUrl()}${path}`, 302),
  keptToken({ headers }: FastifyRequest): Secret {
    const token = linkCookie(publicUrl(), kind).read(headers.cookie)
    if (token === undefined) throw new Problem('link_invalid')
    return new Secret(token)
  },
  proofField: (token: Secret): Markup =>
    markup`<input type="hidden" name="proof" value="${proofOf(kind, token)}">`,
  /** The cookie also comes with forms of sibling hosts, which know neither the proof nor our origin. */
  assertOwnForm(request: FastifyRequest, token: Secret): void {
    const { proof } = (request.body ?? {}) as Readonly<Record<string, unknown>>
    if (!isFromOwnPages(request, publicUrl()) || proof !== proofOf(kind, token))
      throw new Problem('validation_failed', { reasons: [because('form_of_this_page')] })
  },
  finish: (reply: FastifyReply): FastifyReply =>
    reply
      .header('cache-control', 'no-store')
      .header('set-cookie', linkCookie(publicUrl(), kind).clear())
      .redirect(`${path}/done`, 303),
})

const proofOf = (kind: Kind, token: Secret): string =>
  createHash('sha256').update(`${kind}\n${token.reveal()}`).digest('base64url')
