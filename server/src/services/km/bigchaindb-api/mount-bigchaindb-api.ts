import { type Mode, modes } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin, answerPreflight } from '../../../http/cors.ts'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'
import { BigchaindbError, notFound, sendBigchaindbError, sendJson } from './bigchaindb-error.ts'
import { registerReads } from './reads.ts'
import { serveStream } from './stream.ts'
import { largestBodyBytes, registerWrites } from './writes.ts'

export type BigchaindbApiOptions = {
  readonly ledger: (mode: Mode) => LedgerFaceSource
  /** The modes whose ledger accepts transactions from everybody. */
  readonly openModes: readonly Mode[]
  readonly publicUrl: () => string
}

/** The version of BigchainDB that this API is compatible with. */
const version = '2.2.2'
const streamPath = '/streams/valid_transactions'
const unlimited = { config: { unlimited: true } } as const

/** Serves the HTTP API of BigchainDB for each ledger at `/ledger/<mode>`; its clients work unchanged. */
export const mountBigchaindbApi = (server: FastifyInstance, options: BigchaindbApiOptions): void => {
  for (const mode of modes) {
    const base = `/ledger/${mode}`
    const ledger = () => options.ledger(mode)
    serveStream(server, { path: `${base}/api/v1${streamPath}`, ledger })
    server.register(
      async (root) => {
        configure(root)
        root.get('/', unlimited, async (_request, reply) =>
          sendJson(reply, JSON.stringify(rootIndex(options.publicUrl(), base))),
        )
        root.get('/api/v1', unlimited, async (_request, reply) =>
          sendJson(reply, JSON.stringify(apiIndex(options.publicUrl(), { base, prefix: '/' }))),
        )
        root.register(
          async (api) => {
            registerReads(api, ledger)
            registerWrites(api, { ledger, isOpen: options.openModes.includes(mode) })
          },
          { prefix: '/api/v1' },
        )
      },
      { prefix: base },
    )
  }
}

/** Reads every body as bytes, allows every origin and answers errors as BigchainDB does. */
const configure = (api: FastifyInstance): void => {
  api.removeAllContentTypeParsers()
  api.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: largestBodyBytes },
    async (_request: unknown, bytes: Buffer) => bytes,
  )
  api.addHook('onRequest', async (_request, reply) => allowAnyOrigin(reply))
  // Users configure drivers to send additional headers, for a gateway in front of the node.
  api.options('/*', unlimited, async (_request, reply) =>
    answerPreflight(reply, { methods: ['GET', 'POST'], headers: '*' }),
  )
  api.setErrorHandler<Error>(sendBigchaindbError)
  const methodsAt = new Map<string, readonly string[]>()
  api.addHook('onRoute', ({ url, method }) => {
    methodsAt.set(url, [...(methodsAt.get(url) ?? []), method].flat())
  })
  api.setNotFoundHandler(async ({ url }, reply) => {
    const [asked = ''] = url.split('?', 1)
    const methods = methodsAt.get(asked.endsWith('/') ? asked.slice(0, -1) : asked)
    if (methods === undefined) throw notFound()
    reply.header('allow', methods.join(', '))
    throw new BigchaindbError(405, 'The method is not allowed for the requested URL.', { bare: true })
  })
}

const rootIndex = (publicUrl: string, base: string) => ({
  api: { v1: apiIndex(publicUrl, { base, prefix: `${base}/api/v1/` }) },
  docs: `${publicUrl}/docs`,
  software: 'BigchainDB',
  version,
})

const apiIndex = (
  publicUrl: string,
  { base, prefix }: { readonly base: string; readonly prefix: string },
) => ({
  assets: `${prefix}assets/`,
  blocks: `${prefix}blocks/`,
  docs: `${publicUrl}/docs`,
  metadata: `${prefix}metadata/`,
  outputs: `${prefix}outputs/`,
  streams: `${publicUrl.replace(/^http/, 'ws')}${base}/api/v1${streamPath}`,
  transactions: `${prefix}transactions/`,
  validators: `${prefix}validators`,
})
