import { limits } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import { sendHtmlPage } from '../../../http/html-page.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { readOwnForm } from '../pages/own-form.ts'
import { isRefusal, wordsFor } from '../pages/sign-in-errors.ts'
import { codePage } from '../pages/sign-in-pages.ts'
import { browserOf, clientOf, enter, pageOptions } from './browser-replies.ts'
import { type BrowserSecret, derive } from './browser-secret.ts'
import type { FinishSignIn } from './finish-sign-in.ts'

type Dependencies = {
  readonly finish: FinishSignIn
  readonly publicUrl: () => string
  readonly codeAddress: string
}

const pagesPerMinute = 60

/** Our own second factor, for whom an external issuer has vouched. */
export const mountCodePage = (
  server: FastifyInstance,
  { finish, publicUrl, codeAddress }: Dependencies,
): void => {
  const form = (browser: BrowserSecret) => ({ action: codeAddress, proof: derive(browser, 'form') })
  server.get(
    codeAddress,
    pageOptions(publicUrl, { bucket: 'console.code_page', perMinute: pagesPerMinute }),
    async (request, reply) => {
      const browser = browserOf(request, publicUrl)
      if (!(await finish.awaitsCode(browser))) throw new Problem('link_invalid')
      return sendHtmlPage(reply, codePage(form(browser)))
    },
  )
  server.post(
    codeAddress,
    pageOptions(publicUrl, { bucket: 'auth.code', perMinute: limits.credentialCallsPerMinute }),
    async (request, reply) => {
      const browser = browserOf(request, publicUrl)
      const field = readOwnForm(request, { proof: form(browser).proof, publicUrl: publicUrl() })
      const code = new Secret(field('code', limits.mfaCode.maxLength))
      try {
        return enter(reply, publicUrl, await finish.code(browser, code, clientOf(request)))
      } catch (error) {
        if (!isRefusal(error)) throw error
        const { status, words } = wordsFor(error, 'code')
        return sendHtmlPage(reply, { ...codePage({ ...form(browser), problem: words }), status })
      }
    },
  )
}
