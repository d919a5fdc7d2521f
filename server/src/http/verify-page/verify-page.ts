import type { FastifyInstance } from 'fastify'
import { markup } from '@millseal/families'
import { sendHtmlPage } from '../html-page.ts'
import { browserModules } from './browser-modules.ts'

const path = '/verify'
const unlimited = { config: { unlimited: true } } as const

/** The QR code of a certificate opens this page. The browser checks the file and never uploads it. */
export const registerVerifyPage = (server: FastifyInstance): void => {
  server.get(path, unlimited, async (_request, reply) =>
    sendHtmlPage(reply, { title: 'Verify a certificate', main: page, hasScript: true }),
  )
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

const page = markup`<h1>Verify a certificate</h1>
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
<dl id="facts"></dl>
<ul id="checks"></ul>
<p id="note" class="quiet"></p>
</section>
<script type="module" src="${path}/modules/client/page.ts"></script>`
