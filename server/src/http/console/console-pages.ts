import type { FastifyInstance } from 'fastify'
import { builtFiles, sendBuiltFile, yearSeconds } from './built-files.ts'

const unlimited = { config: { unlimited: true } } as const

/**
 * Only files of this server, and no code or markup made from texts, except the preview of a certificate, which the
 * policy `millseal-preview` parses without running it. PDFs are shown from memory.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types millseal-preview',
].join('; ')

/** Serves the web application. The browser decides which screen an address below `/console` has. */
export const registerConsolePages = (server: FastifyInstance): void => {
  server.get<{ Params: { '*': string } }>('/console/assets/*', unlimited, async (request, reply) => {
    const file = builtFiles().get(`app/assets/${request.params['*']}`)
    if (file === undefined) return reply.callNotFound()
    reply.header('cache-control', `public, max-age=${yearSeconds}, immutable`)
    return sendBuiltFile(request, reply, file)
  })
  for (const path of ['/console', '/console/*']) {
    server.get(path, unlimited, async (request, reply) => {
      const page = builtFiles().get('app/index.html')
      if (page === undefined) return reply.callNotFound()
      reply
        .header('content-security-policy', policy)
        .header('cache-control', 'no-cache')
        .header('referrer-policy', 'same-origin')
      return sendBuiltFile(request, reply, page)
    })
  }
}
