import { limits } from '@millseal/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendHtmlPage } from '../../../http/html-page.ts'
import { pageLanguageOf } from '../../../http/pages/page-language.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { readOwnForm } from '../pages/own-form.ts'
import { isShownOnForm, problemOnForm } from '../pages/sign-in-errors.ts'
import { codePage } from '../pages/sign-in-pages.ts'
import { browserOf, clientOf, codeAddress, pageOptions, signedInReply } from './browser-replies.ts'
import { type BrowserSecret, derive } from './browser-secret.ts'
import { awaitsCode, finishWithCode } from './finish-sign-in.ts'

const pagesPerMinute = 60

/** Serves the page for the second factor of this server, after a sign-in with an external issuer. */
export const mountCodePage = (server: FastifyInstance, deps: AuthDependencies): void => {
  const { publicUrl } = deps
  const form = (request: FastifyRequest, browser: BrowserSecret) => ({
    language: pageLanguageOf(request),
    action: codeAddress,
    proof: derive(browser, 'form'),
  })
  server.get(
    codeAddress,
    pageOptions(publicUrl, { bucket: 'console.code_page', perMinute: pagesPerMinute }),
    async (request, reply) => {
      const browser = browserOf(request, publicUrl)
      if (!(await awaitsCode(deps, browser))) throw new Problem('link_invalid')
      return sendHtmlPage(reply, codePage(form(request, browser)))
    },
  )
  server.post(
    codeAddress,
    pageOptions(publicUrl, { bucket: 'auth.code', perMinute: limits.credentialCallsPerMinute }),
    async (request, reply) => {
      const browser = browserOf(request, publicUrl)
      const shown = form(request, browser)
      const field = readOwnForm(request, { proof: shown.proof, publicUrl: publicUrl() })
      const code = new Secret(field('code', limits.mfaCode.maxLength))
      try {
        const opened = await finishWithCode(deps, { browser, code, client: clientOf(request) })
        return signedInReply(reply, publicUrl, opened)
      } catch (error) {
        if (!isShownOnForm(error)) throw error
        const { status, ...problem } = problemOnForm(error, 'code', shown.language)
        return sendHtmlPage(reply, { ...codePage({ ...shown, problem }), status })
      }
    },
  )
}
