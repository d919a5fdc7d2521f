import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { builtFiles, sendBuiltFile } from '../console/built-files.ts'
import { pagePolicy } from '../html-page.ts'
import { unlimited } from './form.ts'
import { paths } from './links.ts'

/** Serves the pages in docs/, as `console/build-guide.ts` rendered them: an installation may have no other way to them. */
export const registerGuide = (server: FastifyInstance): void => {
  server.get(paths.guide, unlimited, async (request, reply) => sendPage(request, reply, 'index'))
  server.get<{ Params: { page: string } }>(`${paths.guide}/:page`, unlimited, async (request, reply) =>
    sendPage(request, reply, request.params.page),
  )
  server.get<{ Params: { file: string } }>(
    `${paths.guide}/pictures/:file`,
    unlimited,
    async (request, reply) => {
      const file = builtFiles().get(`guide/pictures/${request.params.file}`)
      if (file === undefined) return reply.callNotFound()
      return sendBuiltFile(request, reply.header('cache-control', 'public, max-age=86400'), file)
    },
  )
}

const sendPage = (request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply => {
  const file = builtFiles().get(`guide/${name}.html`)
  if (file === undefined) {
    reply.callNotFound()
    return reply
  }
  reply.header('content-security-policy', pagePolicy).header('cache-control', 'no-cache')
  return sendBuiltFile(request, reply, file)
}
