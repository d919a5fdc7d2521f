import { type Mode, modes } from '@millseal/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { allowAnyOrigin } from '../../../http/cors.ts'
import { type ProvenStamp, writeStamp } from '@millseal/proof'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'

const unlimited = { config: { unlimited: true } } as const
/** C2SP tlog-tiles: a checkpoint may be a few seconds old, a tile never changes. */
const checkpointCache = 'public, max-age=2'
const tileCache = 'public, max-age=31536000, immutable'
const keyCache = 'public, max-age=3600'

/** Serves the files of each log at `/ledger/<mode>`, so that anybody can verify it with other tools. */
export const mountLogFiles = (
  server: FastifyInstance,
  { files }: { readonly files: (mode: Mode) => LogFiles },
): void => {
  for (const mode of modes) {
    const base = `/ledger/${mode}`
    server.get(`${base}/checkpoint`, unlimited, async (_request, reply) =>
      sendText(reply, { text: await files(mode).readCheckpoint(), cache: checkpointCache }),
    )
    server.get(`${base}/confirmed/checkpoint`, unlimited, async (_request, reply) =>
      sendText(reply, { text: await files(mode).readConfirmed(), cache: checkpointCache }),
    )
    server.get(`${base}/vkey`, unlimited, async (_request, reply) =>
      sendText(reply, { text: await files(mode).readKey(), cache: keyCache }),
    )
    for (const name of ['checkpoint', 'vkey'] as const)
      server.get<{ Params: { number: string } }>(
        `${base}/frozen/:number/${name}`,
        unlimited,
        async (request, reply) => {
          const number = /^[1-9]\d{0,5}$/.test(request.params.number) ? Number(request.params.number) : 0
          const frozen = await files(mode).readFrozen(number)
          return sendText(reply, { text: frozen?.[name], cache: tileCache })
        },
      )
    server.get<{ Params: { index: string } }>(`${base}/stamps/:index`, unlimited, async (request, reply) => {
      const isIndex = /^(?:0|[1-9]\d{0,14})$/.test(request.params.index)
      const stamps = isIndex ? await files(mode).proveStamps(Number(request.params.index)) : undefined
      return stamps === undefined ? sendNotFound(reply) : sendStamps(reply, stamps)
    })
    for (const [prefix, readTile] of [
      ['', 'readTile'],
      ['/confirmed', 'readConfirmedTile'],
    ] as const)
      server.get<{ Params: { '*': string } }>(`${base}${prefix}/tile/*`, unlimited, async (request, reply) =>
        sendTile(reply, await files(mode)[readTile](`tile/${request.params['*']}`)),
      )
  }
}

const sendText = (
  reply: FastifyReply,
  { text, cache }: { readonly text: string | undefined; readonly cache: string },
): FastifyReply => {
  if (text === undefined) return sendNotFound(reply)
  allowAnyOrigin(reply)
  return reply.type('text/plain; charset=utf-8').header('cache-control', cache).send(text)
}

/** As a proof bundle has them. Later an authority that did not answer may have stamped, too. */
const sendStamps = (reply: FastifyReply, stamps: readonly ProvenStamp[]): FastifyReply => {
  allowAnyOrigin(reply)
  const written = stamps.map(writeStamp)
  return reply.type('application/json').header('cache-control', checkpointCache).send(JSON.stringify(written))
}

const sendTile = (reply: FastifyReply, tile: Uint8Array | undefined): FastifyReply => {
  if (tile === undefined) return sendNotFound(reply)
  allowAnyOrigin(reply)
  return reply.type('application/octet-stream').header('cache-control', tileCache).send(tile)
}

const sendNotFound = (reply: FastifyReply): FastifyReply => {
  allowAnyOrigin(reply)
  return reply.code(404).type('text/plain; charset=utf-8').send('The log has no such file\n')
}
