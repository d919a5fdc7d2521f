import { answerFrom, type LogNode, maxNodeBodyBytes } from '@millseal/node'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const base = '/node'

/** Serves a node beside the API, at the addresses that it has alone (docs/node.md). */
export const mountNode = (
  server: FastifyInstance,
  {
    node,
    version,
    note,
  }: { readonly node: LogNode; readonly version: string; readonly note: (line: string) => void },
): void => {
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = '', query = ''] = request.url.split('?', 2)
    const asked = {
      method: request.method,
      path: path.slice(base.length) || '/',
      query,
      readBody: async () => (request.body instanceof Buffer ? request.body.toString() : ''),
    }
    const { status, headers, body } = await answerFrom(node, asked, { version, base, note })
    // Copies are read from other origins, as the logs are.
    return reply
      .code(status)
      .headers({ ...headers, 'cross-origin-resource-policy': 'cross-origin' })
      .send(body)
  }
  server.register(
    async (root) => {
      root.removeAllContentTypeParsers()
      root.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: maxNodeBodyBytes },
        async (_request: unknown, bytes: Buffer) => bytes,
      )
      root.get('/', { config: { unlimited: true } }, send)
      root.get('/*', { config: { unlimited: true } }, send)
      root.post('/add-checkpoint', { config: { unlimited: true } }, send)
    },
    { prefix: base },
  )
}
