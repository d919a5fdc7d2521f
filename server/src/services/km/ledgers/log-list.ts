import { type Mode, modes } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin } from '../../../http/cors.ts'
import type { LogFiles } from '../../../ports/ledger/log-files.ts'

export type LogListOptions = {
  readonly files: (mode: Mode) => LogFiles
  readonly publicUrl: () => string
  /** The organisation that runs this service. */
  readonly operatorName: string | undefined
}

/** Four checkpoints a second, all day long: no cosigner is sent more. */
const queriesPerDay = 4 * 86_400

/** Serves the logs in the format `logs/v0` of the witness network, so that a cosigner needs one address to know them. */
export const mountLogList = (server: FastifyInstance, options: LogListOptions): void => {
  server.get('/ledger/logs.v0', { config: { unlimited: true } }, async (_request, reply) => {
    allowAnyOrigin(reply)
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .send(await writeLogList(options))
  })
}

const writeLogList = async ({ files, publicUrl, operatorName }: LogListOptions): Promise<string> => {
  const contact = operatorName === undefined ? publicUrl() : `${operatorName}, ${publicUrl()}`
  const logs = modes.map(async (mode) => {
    const vkey = (await files(mode).readKey())?.trim()
    if (vkey === undefined) return ''
    const [origin] = vkey.split('+', 1)
    // Only nodes of Millseal read the comment: where they get the entries.
    return `
vkey ${vkey}
origin ${origin}
qpd ${queriesPerDay}
contact ${contact}
#url ${publicUrl()}/ledger/${mode}
`
  })
  return `logs/v0\n${(await Promise.all(logs)).join('')}`
}
