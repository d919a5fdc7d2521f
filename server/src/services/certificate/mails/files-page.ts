import { limits } from '@millseal/contract'
import { markup } from '@millseal/families'
import type { FastifyInstance } from 'fastify'
import { sendHtmlPage } from '../../../http/html-page.ts'
import { browserErrors } from '../../../http/page-errors.ts'
import { type PageLanguage, pageLanguageOf } from '../../../http/pages/page-language.ts'
import { oneLine } from '../../../lib/mail-layout.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { type CertificateWithBodies, summaryOf } from '../certificates/certificates.store.ts'
import { fileNameOf } from './certificate-files.ts'
import { filesPath, findLinkedFiles } from './files-link.ts'

type Route = { Params: { token: string } }

const limited = { bucket: 'certificates.files', perMinute: limits.verifyCallsPerMinute } as const
const words = {
  en: {
    title: 'Files of a certificate',
    heading: (identifier: string) => `Certificate ${identifier}`,
    pdf: 'Download the PDF',
    json: 'Download the JSON',
    advice: 'Keep both files unchanged: anyone can verify them.',
    invalid: 'This link is no longer valid',
    invalidText: 'Ask the sender of the mail for the files.',
  },
  de: {
    title: 'Dateien eines Zeugnisses',
    heading: (identifier: string) => `Zeugnis ${identifier}`,
    pdf: 'PDF herunterladen',
    json: 'JSON herunterladen',
    advice: 'Bewahren Sie beide Dateien unverändert auf: Jeder kann sie prüfen.',
    invalid: 'Dieser Link gilt nicht mehr',
    invalidText: 'Bitten Sie den Absender der E-Mail um die Dateien.',
  },
} satisfies Record<PageLanguage, unknown>

const errorHandler = browserErrors(({ code }, language) => {
  const { invalid: title, invalidText: text } = words[language]
  return code === 'link_invalid' ? { title, text } : undefined
})

/** Serves the files of a certificate that were too large for a mail to its receiver. */
export const mountFilesPage = (server: FastifyInstance, deps: CertificateDependencies): void => {
  const options = { config: { limited }, errorHandler }
  server.get<Route>(`${filesPath}/:token`, options, async (request, reply) => {
    const { params } = request
    const language = pageLanguageOf(request)
    const t = words[language]
    const certificate = await requireFiles(deps, params.token)
    const identifier = oneLine(summaryOf(certificate).identifier ?? certificate.hash)
    const address = `${filesPath}/${encodeURIComponent(params.token)}`
    return sendHtmlPage(reply, {
      title: t.title,
      language,
      main: markup`<h1>${t.heading(identifier)}</h1>
<p><a class="button" href="${address}/pdf">${t.pdf}</a><a class="button second" href="${address}/json">${t.json}</a></p>
<p class="muted">${t.advice}</p>`,
    })
  })
  server.get<Route>(`${filesPath}/:token/pdf`, options, async ({ params }, reply) => {
    const certificate = await requireFiles(deps, params.token)
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${fileNameOf(certificate)}.pdf"`)
      .header('cache-control', 'no-store')
      .send(certificate.pdf)
  })
  server.get<Route>(`${filesPath}/:token/json`, options, async ({ params }, reply) => {
    const certificate = await requireFiles(deps, params.token)
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="${fileNameOf(certificate)}.json"`)
      .header('cache-control', 'no-store')
      .send(certificate.body)
  })
}

const requireFiles = async (deps: CertificateDependencies, token: string): Promise<CertificateWithBodies> => {
  const certificate = await findLinkedFiles(deps, new Secret(token))
  if (certificate === undefined) throw new Problem('link_invalid')
  return certificate
}
