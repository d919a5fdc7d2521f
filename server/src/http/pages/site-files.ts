import type { FastifyInstance } from 'fastify'
import { unlimited } from './form.ts'

/** Our mark: an M in the ring of a seal. */
const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#17365d"/><circle cx="16" cy="16" r="12.75" fill="none" stroke="#4cc0b0" stroke-width="1.5" stroke-dasharray="2.2 1.804"/><path d="M10 21.5V11l6 7.2 6-7.2v10.5" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>
`

/** Search engines may list the home page, the page for receivers and the API reference. */
const robots = `User-agent: *
Disallow: /api
Disallow: /auth
Disallow: /console
Disallow: /confirm-email
Disallow: /files
Disallow: /invitation
Disallow: /oidc
Disallow: /reset-password
Disallow: /unsubscribe
Disallow: /v/
`

/** The files that browsers and search engines request without being told. */
export const registerSiteFiles = (server: FastifyInstance): void => {
  // Browsers that know no SVG icons show none; all others take the type and not the name.
  for (const path of ['/favicon.svg', '/favicon.ico'])
    server.get(path, unlimited, async (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(mark),
    )
  server.get('/robots.txt', unlimited, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(robots),
  )
}
