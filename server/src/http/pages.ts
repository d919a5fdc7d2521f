import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { markup } from '@millseal/families'
import { registerConsolePages } from './console/console-pages.ts'
import { pageStyle, sendHtmlPage } from './html-page.ts'
import { registerInvitationPage } from './invitation-page.ts'
import { registerPasswordPage } from './password-page.ts'
import { registerVerifyPage } from './verify-page/verify-page.ts'

const viewerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const viewerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}
const unlimited = { config: { unlimited: true } } as const

/** The viewer sets inline styles. Everything else comes from this server, so the page works offline. */
const viewerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

/** Registers the API reference with its documents, and the pages that mailed links open. */
export const registerPages = (server: FastifyInstance): void => {
  server.get('/', unlimited, async (_request, reply) => reply.redirect('/docs', 302))
  server.get('/docs', unlimited, async (_request, reply) => sendReference(reply))
  server.get('/docs/viewer.js', unlimited, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(viewerStart),
  )
  server.get('/docs/page.css', unlimited, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=300').send(pageStyle),
  )
  for (const [name, type] of Object.entries(viewerFiles)) {
    server.get(`/docs/${name}`, unlimited, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'public, max-age=86400')
        .send(createReadStream(join(viewerFolder, name))),
    )
  }
  for (const name of ['openapi.json', 'asyncapi.json']) {
    const file = fileURLToPath(import.meta.resolve(`@millseal/contract/${name}`))
    server.get(`/${name}`, unlimited, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(await readFile(file)),
    )
  }
  registerPasswordPage(server)
  registerInvitationPage(server)
  registerVerifyPage(server)
  registerConsolePages(server)
  server.get('/welcome', unlimited, async (_request, reply) =>
    sendHtmlPage(reply, {
      title: 'E-mail address confirmed',
      main: markup`<h1>Your e-mail address is confirmed</h1><p>You can close this page and sign in.</p>`,
    }),
  )
}

const sendReference = (reply: FastifyReply): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('content-security-policy', viewerPolicy).send(referencePage)

const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Millseal API</title>
<link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/viewer.js"></script>
</body>
</html>
`

const viewerStart = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
  tryItOutEnabled: true,
})
`
