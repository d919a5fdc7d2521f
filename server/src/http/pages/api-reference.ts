import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { builtAddress } from '../console/built-files.ts'
import { unlimited } from './form.ts'

const viewerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const viewerFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** The viewer sets inline styles. Everything else comes from this server, so the page works offline. */
const viewerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

/** The API reference with its documents. */
export const registerApiReference = (server: FastifyInstance): void => {
  server.get('/docs', unlimited, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', viewerPolicy)
      .send(referencePage()),
  )
  server.get('/docs/viewer.js', unlimited, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(viewerStart),
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
}

const referencePage = (): string => `<!doctype html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Millseal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="${builtAddress('look/reference.css')}">
</head>
<body>
<header class="top"><a href="/"><img src="/favicon.svg" alt="" width="28" height="28">Millseal</a></header>
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

// The viewer has parts and lists without a name, skips levels of headings, and has links within buttons that do the
// same. It draws them again and again.
const reference = document.getElementById('reference')
const repair = () => {
  for (const [headings, level] of [['h3.opblock-tag, .models > h4', '2'], ['.opblock h4', '3'], ['.opblock h5', '4']])
    for (const heading of reference.querySelectorAll(headings)) heading.setAttribute('aria-level', level)
  for (const [parts, name] of [
    ['.information-container', 'About this API'],
    ['.schemes-server-container', 'Server'],
    ['.filter-container', 'Filter'],
  ])
    for (const part of reference.querySelectorAll(parts)) {
      part.setAttribute('role', 'region')
      part.setAttribute('aria-label', name)
    }
  for (const list of reference.querySelectorAll('select:not([aria-label])'))
    list.setAttribute('aria-label', list.id === 'servers' ? 'Server' : 'Choose a value')
  // Long ones scroll, which the keyboard does only where it can go.
  for (const example of reference.querySelectorAll('pre.example')) example.setAttribute('tabindex', '0')
  for (const link of reference.querySelectorAll('button a[href]')) link.removeAttribute('href')
}
new MutationObserver(repair).observe(reference, { childList: true, subtree: true })
`
