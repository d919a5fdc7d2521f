import { CertificateCode } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import { type Markup, markup } from '@millseal/families'
import { sendHtmlPage } from '../html-page.ts'
import { browserErrors } from '../page-errors.ts'
import { browserModules } from './browser-modules.ts'

const path = '/verify'
const unlimited = { config: { unlimited: true } } as const

const title = 'Verify a certificate'

/** The browser checks the file and never uploads it. The codes on older papers have a hash in the fragment. */
export const registerVerifyPage = (server: FastifyInstance): void => {
  server.get(path, unlimited, async (_request, reply) =>
    sendHtmlPage(reply, { title, main: page(markup``), hasScript: true }),
  )
  registerCodePage(server)
  let modules: ReadonlyMap<string, string> | undefined
  server.get<{ Params: { '*': string } }>(`${path}/modules/*`, unlimited, async (request, reply) => {
    modules ??= browserModules(`${path}/modules`)
    const source = modules.get(request.params['*'])
    if (source === undefined) return reply.callNotFound()
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(source)
  })
}

/** The QR code of a certificate opens this page, which looks the code up. */
const registerCodePage = (server: FastifyInstance): void => {
  server.get<{ Params: { code: string } }>(
    '/v/:code',
    {
      ...unlimited,
      schema: { params: { type: 'object', properties: { code: CertificateCode } } },
      errorHandler: showMalformedCode,
    },
    async (request, reply) => {
      const paper = markup`<section id="paper" data-code="${request.params.code}" role="status" aria-live="polite">
<p>Looking up the code …</p>
</section>`
      return sendHtmlPage(reply, { title, main: page(paper), hasScript: true })
    },
  )
}

/** A browser gets a page; other clients get the error in JSON. */
const showMalformedCode = browserErrors(({ code }) =>
  code === 'validation_failed'
    ? {
        title,
        text: 'The address has no valid code: after /v/ there must be 22 characters. Scan the QR code again, or compare the address with the paper.',
        action: markup`<p>If you have the PDF or JSON file, <a href="${path}">verify the file</a>.</p>`,
      }
    : undefined,
)

const page = (paper: Markup): Markup => markup`<h1>${title}</h1>
${paper}
<p class="quiet">Choose the JSON or PDF file you received, or drop it here. Your browser checks it; the file is not uploaded.</p>
<noscript><p class="wrong">This page needs JavaScript. You can also run the command millseal verify.</p></noscript>
<form>
<label for="file">Certificate</label>
<input id="file" type="file" accept=".json,.pdf,application/json,application/pdf" required>
<label for="mode">Notarized in</label>
<select id="mode"><option value="live">live mode</option><option value="test">test mode</option></select>
</form>
<section id="result" role="status" aria-live="polite" hidden>
<h2 id="verdict"></h2>
<p id="why"></p>
<dl id="facts" class="facts"></dl>
<ul id="checks"></ul>
<p id="note" class="quiet"></p>
</section>
<script type="module" src="${path}/modules/client/page.ts"></script>`
