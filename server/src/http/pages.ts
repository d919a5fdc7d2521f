import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'

const viewerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const viewerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}
const unlimited = { config: { unlimited: true } } as const

/** The viewer sets inline styles; everything else stays on this host, so the page works without any network. */
const viewerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
const pagePolicy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'"

/** The pages beside the API: its reference, the documents it is made from, and where a mailed link leads. */
export const registerPages = (server: FastifyInstance): void => {
  server.get('/', unlimited, async (_request, reply) => reply.redirect('/docs', 302))
  server.get('/docs', unlimited, async (_request, reply) => sendPage(reply, referencePage, viewerPolicy))
  server.get('/docs/viewer.js', unlimited, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(viewerStart),
  )
  server.get('/docs/page.css', unlimited, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(pageStyle),
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
  server.get('/welcome', unlimited, async (_request, reply) => sendPage(reply, welcomePage, pagePolicy))
}

const sendPage = (reply: FastifyReply, html: string, policy: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html)

const page = (title: string, head: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`

const referencePage = page(
  'Millseal API',
  '<link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css">',
  '<div id="reference"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/viewer.js"></script>',
)

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

const pageStyle = `body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto 0; padding: 0 1.5rem; color: #1b2733 }
h1 { font-size: 1.6rem; margin: 0 0 .5rem }
p { margin: 0 }
`

const welcomePage = page(
  'E-mail address confirmed',
  '<link rel="stylesheet" href="/docs/page.css">',
  '<main><h1>Your e-mail address is confirmed</h1><p>You can sign in now and close this page.</p></main>',
)
