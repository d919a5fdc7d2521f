import { limits } from '@millseal/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendHtmlPage } from '../../../http/html-page.ts'
import { pageLanguageOf } from '../../../http/pages/page-language.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { type Field, readOwnForm } from '../pages/own-form.ts'
import { isShownOnForm, problemOnForm } from '../pages/sign-in-errors.ts'
import { codePage, type FormPage } from '../pages/sign-in-pages.ts'
import { browserOf, clientOf, codeAddress, pageOptions, signedInReply } from './browser-replies.ts'
import { type BrowserSecret, derive } from '../sessions/browser-secret.ts'
import { awaitsCode, finishWithFactor, passkeyRequestOf, type ProvenFactor } from './finish-sign-in.ts'

const pagesPerMinute = 60
const passkeyAddress = `${codeAddress}/passkey`

/** Serves the page for the second factor of this server, after a sign-in with an external issuer. */
export const mountCodePage = (server: FastifyInstance, deps: AuthDependencies): void => {
  const { publicUrl } = deps
  server.get(
    codeAddress,
    pageOptions(publicUrl, { bucket: 'console.code_page', perMinute: pagesPerMinute }),
    async (request, reply) => {
      const browser = browserOf(request, publicUrl)
      if (!(await awaitsCode(deps, browser))) throw new Problem('link_invalid')
      return sendHtmlPage(reply, codePage(await formOf(deps, request, browser)))
    },
  )
  server.post(
    codeAddress,
    pageOptions(publicUrl, { bucket: 'auth.code', perMinute: limits.credentialCallsPerMinute }),
    (request, reply) =>
      answer(deps, request, reply, (field) => ({
        code: new Secret(field('code', limits.mfaCode.maxLength)),
      })),
  )
  server.post(
    passkeyAddress,
    pageOptions(publicUrl, { bucket: 'auth.passkey', perMinute: limits.credentialCallsPerMinute }),
    (request, reply) =>
      answer(deps, request, reply, (field) => ({
        response: field('response', limits.passkeyResponse.maxLength),
      })),
  )
}

const formOf = async (
  deps: AuthDependencies,
  request: FastifyRequest,
  browser: BrowserSecret,
): Promise<FormPage> => {
  const proof = derive(browser, 'form')
  const form = { language: pageLanguageOf(request), action: codeAddress, proof }
  const asked = await passkeyRequestOf(deps, browser)
  return asked === undefined ? form : { ...form, passkey: { action: passkeyAddress, proof, request: asked } }
}

const answer = async (
  deps: AuthDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  read: (field: Field) => ProvenFactor,
): Promise<FastifyReply> => {
  const { publicUrl } = deps
  const browser = browserOf(request, publicUrl)
  const proven = read(readOwnForm(request, { proof: derive(browser, 'form'), publicUrl: publicUrl() }))
  try {
    const opened = await finishWithFactor(deps, { browser, proven, client: clientOf(request) })
    return signedInReply(reply, publicUrl, opened)
  } catch (error) {
    if (!isShownOnForm(error)) throw error
    const shown = await formOf(deps, request, browser)
    const step = 'code' in proven ? 'code' : 'passkey'
    const { status, ...problem } = problemOnForm(error, step, shown.language)
    return sendHtmlPage(reply, { ...codePage({ ...shown, problem }), status })
  }
}
