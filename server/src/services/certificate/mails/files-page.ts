import { limits } from '@millseal/contract'
import { markup } from '@millseal/families'
import type { FastifyInstance } from 'fastify'
import { sendHtmlPage } from '../../../http/html-page.ts'
import { pageErrors } from '../../../http/page-errors.ts'
import { oneLine } from '../../../lib/mail-layout.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { type CertificateWithBodies, summaryOf } from '../notarizations/certificates.store.ts'
import { fileNameOf } from './certificate-files.ts'
import { filesPath, findLinkedFiles } from './files-link.ts'

type Route = { Params: { token: string } }

const limited = { bucket: 'certificates.files', perMinute: limits.verifyCallsPerMinute } as const
const errorHandler = pageErrors({
  title: 'Files of a certificate',
  main: (reason) => markup`<h1>This did not work</h1><p>${reason}</p>`,
  words: { link_invalid: 'This link is not valid any more. Ask the sender of the mail for the files.' },
})

/** Serves the files of a certificate that were too large for a mail to its receiver. */
export const mountFilesPage = (server: FastifyInstance, deps: CertificateDependencies): void => {
  const options = { config: { limited }, errorHandler }
  server.get<Route>(`${filesPath}/:token`, options, async ({ params }, reply) => {
    const certificate = await requireFiles(deps, params.token)
    const identifier = oneLine(summaryOf(certificate).identifier ?? certificate.hash)
    const address = `${filesPath}/${encodeURIComponent(params.token)}`
    return sendHtmlPage(reply, {
      title: 'Files of a certificate',
      main: markup`<h1>Certificate ${identifier}</h1>
<p><a class="button" href="${address}/pdf">Download the PDF</a><a class="button" href="${address}/json">Download the JSON</a></p>
<p class="quiet">Keep both files unchanged: anyone can verify them.</p>`,
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
