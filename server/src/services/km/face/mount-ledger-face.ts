import { type Mode, modes } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin, answerPreflight } from '../../../http/cors.ts'
import type { LedgerFaceSource } from '../../../ports/ledger/ledger-face.ts'
import { FaceError, notFound, sendFaceError, sendJson } from './face-error.ts'
import { registerReads } from './reads.ts'
import { serveStream } from './stream.ts'
import { largestBodyBytes, registerWrites } from './writes.ts'

export type LedgerFaceOptions = {
  readonly ledger: (mode: Mode) => LedgerFaceSource
  /** The modes whose ledger takes transactions from anybody. */
  readonly openModes: readonly Mode[]
  readonly publicUrl: () => string
}

/** The version whose behaviour is offered. */
const version = '2.2.2'
const streamPath = '/streams/valid_transactions'
const unlimited = { config: { unlimited: true } } as const

/** The HTTP API of BigchainDB over each ledger, at `/ledger/<mode>`, so that its clients work unchanged. */
export const mountLedgerFace = (server: FastifyInstance, options: LedgerFaceOptions): void => {
  for (const mode of modes) {
    const base = `/ledger/${mode}`
    const ledger = () => options.ledger(mode)
    serveStream(server, { path: `${base}/api/v1${streamPath}`, ledger })
    server.register(
      async (face) => {
        dressUp(face)
        face.get('/', unlimited, async (_request, reply) =>
          sendJson(reply, JSON.stringify(rootIndex(options.publicUrl(), base))),
        )
        face.get('/api/v1', unlimited, async (_request, reply) =>
          sendJson(reply, JSON.stringify(apiIndex(options.publicUrl(), { base, prefix: '/' }))),
        )
        face.register(
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

/** Its own manners: any body is read as bytes, any origin may ask, and errors speak as the original does. */
const dressUp = (face: FastifyInstance): void => {
  face.removeAllContentTypeParsers()
  face.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: largestBodyBytes },
    async (_request: unknown, bytes: Buffer) => bytes,
  )
  face.addHook('onRequest', async (_request, reply) => allowAnyOrigin(reply))
  // Drivers are told headers to send with every request, for a gateway before the node.
  face.options('/*', unlimited, async (_request, reply) =>
    answerPreflight(reply, { methods: ['GET', 'POST'], headers: '*' }),
  )
  face.setErrorHandler<Error>(sendFaceError)
  const methodsAt = new Map<string, readonly string[]>()
  face.addHook('onRoute', ({ url, method }) => {
    methodsAt.set(url, [...(methodsAt.get(url) ?? []), method].flat())
  })
  face.setNotFoundHandler(async ({ url }, reply) => {
    const [asked = ''] = url.split('?', 1)
    const methods = methodsAt.get(asked.endsWith('/') ? asked.slice(0, -1) : asked)
    if (methods === undefined) throw notFound()
    reply.header('allow', methods.join(', '))
    throw new FaceError(405, 'The method is not allowed for the requested URL.', { bare: true })
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
