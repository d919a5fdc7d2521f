import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { builtFiles, sendBuiltFile, yearSeconds } from '../console/built-files.ts'
import { unlimited } from './form.ts'
import { paths } from './links.ts'

/** The texts of the styles that the viewer adds to its page. A test in a browser fails if another version has others. */
const stylesOfViewer = [
  "'sha256-l/2OpPg0d+2VLTLgwjf5mQo2CYwHDEqdj5TjbfEyVJI='",
  "'sha256-UQNAw9TdEUAfS+4K61T17hAiwL+aEOwcJq0109T4ML8='",
  "'sha256-T13Uev3xCax2N28XaoAE8DOzQZKvPp7ZQVAi1iRREjo='",
]

/** Everything comes from this server, so the page works offline. The viewer also tries to set attributes, and does without. */
const viewerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${stylesOfViewer.join(' ')}`,
  "style-src-attr 'none'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const documents = {
  'openapi.json': fileURLToPath(import.meta.resolve('@millseal/contract/openapi.json')),
  'asyncapi.json': fileURLToPath(import.meta.resolve('@millseal/contract/asyncapi.json')),
}

/** The API reference, as `console/build-reference.ts` made it, with its documents. */
export const registerApiReference = (server: FastifyInstance): void => {
  server.get('/docs', unlimited, async (_request, reply) => reply.redirect(paths.reference))
  server.get(paths.reference, unlimited, async (request, reply) => {
    const page = builtFiles().get('reference/page.html')
    if (page === undefined) return reply.callNotFound()
    reply.header('content-security-policy', viewerPolicy).header('cache-control', 'no-cache')
    return sendBuiltFile(request, reply, page)
  })
  server.get<{ Params: { '*': string } }>(`${paths.reference}/*`, unlimited, async (request, reply) => {
    const file = builtFiles().get(`reference/${request.params['*']}`)
    if (file === undefined || request.params['*'] === 'page.html') return reply.callNotFound()
    reply.header('cache-control', `public, max-age=${yearSeconds}, immutable`)
    return sendBuiltFile(request, reply, file)
  })
  for (const [name, file] of Object.entries(documents)) {
    server.get(`/${name}`, unlimited, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(await readFile(file)),
    )
  }
}
