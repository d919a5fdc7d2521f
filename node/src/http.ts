import { createServer, type IncomingMessage, type Server } from 'node:http'
import { proofOf } from './bundle.ts'
import type { HeldLog, LogNode } from './node.ts'
import { nodePage } from './page.ts'

/** What is asked of a node, wherever it is served. */
export type NodeRequest = {
  readonly method: string
  /** Below the place where the node is served, without a query. */
  readonly path: string
  readonly query: string
  /** Undefined if the body has more than `maxNodeBodyBytes`. */
  readBody(): Promise<string | undefined>
}

export type NodeAnswer = {
  readonly status: number
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

type Answer = {
  readonly status: number
  readonly body: string | Uint8Array
  readonly type: string
  readonly cache?: string
}

type Served = {
  readonly version: string
  /** The path at which the node is served: empty, or such as `/node`. */
  readonly base: string
  readonly note: (line: string) => void
}

/** A checkpoint with its signatures is much smaller. */
export const maxNodeBodyBytes = 65_536
const requestTimeoutMs = 30_000
/** C2SP tlog-tiles: a checkpoint may be a few seconds old, a tile never changes. */
const checkpointCache = 'public, max-age=2'
const tileCache = 'public, max-age=31536000, immutable'
const text = 'text/plain; charset=utf-8'

/** The HTTP side of a node with a port of its own. Not listening yet. */
export const createNodeServer = (node: LogNode, served: Omit<Served, 'base'>): Server =>
  createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
    const asked = { method: request.method ?? 'GET', path, query, readBody: () => readBody(request) }
    void answerFrom(node, asked, { ...served, base: '' }).then(({ status, headers, body }) =>
      response.writeHead(status, headers).end(body),
    )
  })

/** Never rejects. */
export const answerFrom = async (
  node: LogNode,
  request: NodeRequest,
  { version, base, note }: Served,
): Promise<NodeAnswer> => {
  try {
    return whole(await answer(node, request, { version, base }))
  } catch (error) {
    note(
      `${request.method} ${base}${request.path}: ${error instanceof Error ? error.message : String(error)}`,
    )
    return whole({ status: 500, body: 'This node failed: its log says why\n', type: text })
  }
}

const whole = ({ status, body, type, cache = 'no-store' }: Answer): NodeAnswer => ({
  status,
  body,
  headers: {
    'content-type': type,
    'cache-control': cache,
    'access-control-allow-origin': '*',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  },
})

const answer = async (
  node: LogNode,
  request: NodeRequest,
  shown: { readonly version: string; readonly base: string },
): Promise<Answer> => {
  const { method, path, query } = request
  if (path === '/add-checkpoint') return await addCheckpoint(node, request)
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, body: 'Only GET is possible here\n', type: text }
  if (path === '/') return { status: 200, body: nodePage(node, shown), type: 'text/html; charset=utf-8' }
  if (path === '/keys') return { status: 200, body: keysOf(node), type: text }
  const [, first = '', second = '', rest = ''] = /^\/([^/]+)\/([^/]+)(?:\/(.+))?$/.exec(path) ?? []
  const [id, file] = first === 'witness' ? [second, `witness/${rest}`] : [first, path.slice(first.length + 2)]
  const log = node.logs.find((one) => one.id === id)
  return log === undefined ? notFound : await readFile(log, file, new URLSearchParams(query).get('format'))
}

/** As text, a line for each. */
export const keysOf = ({ keys }: LogNode): string =>
  `node    ${keys.node.vkey}\nwitness ${keys.witness.vkey}\n`

const notFound: Answer = { status: 404, body: 'This node has no such file\n', type: text }

const addCheckpoint = async (node: LogNode, request: NodeRequest): Promise<Answer> => {
  if (request.method !== 'POST') return { status: 405, body: 'Only POST is possible here\n', type: text }
  const body = await request.readBody()
  if (body === undefined) return { status: 413, body: `At most ${maxNodeBodyBytes} bytes\n`, type: text }
  const { status, text: said } = await node.addCheckpoint(body)
  return { status, body: said, type: status === 409 ? 'text/x.tlog.size' : text }
}

const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > maxNodeBodyBytes) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}

const readFile = async (log: HeldLog, file: string, format: string | null): Promise<Answer> => {
  if (file === 'checkpoint') return checkpointAnswer(log.state.published?.served)
  if (file === 'witness/checkpoint') return checkpointAnswer(log.state.seen?.served)
  if (file.startsWith('evidence/')) return await findEvidence(log, file.slice('evidence/'.length))
  if (file.startsWith('proof/')) return await readProof(log, file.slice('proof/'.length), format ?? '2')
  return await readTile(log, file)
}

const checkpointAnswer = (note: string | undefined): Answer =>
  note === undefined ? notFound : { status: 200, body: note, type: text, cache: checkpointCache }

const readTile = async (log: HeldLog, path: string): Promise<Answer> => {
  const body = await log.readTile(path)
  return body === undefined
    ? notFound
    : { status: 200, body, type: 'application/octet-stream', cache: tileCache }
}

const findEvidence = async (log: HeldLog, number: string): Promise<Answer> => {
  const body = /^[1-9]\d{0,5}$/.test(number) ? await log.findEvidence(Number(number)) : undefined
  return body === undefined ? notFound : { status: 200, body, type: 'application/json' }
}

const readProof = async (log: HeldLog, hash: string, format: string): Promise<Answer> => {
  if (format !== '2' && format !== '3') return { status: 400, body: 'format must be 2 or 3\n', type: text }
  if (!/^[0-9a-f]{64}$/i.test(hash)) return notFound
  const found = await log.read(async (copy, published) => ({
    bundle: await proofOf(hash.toLowerCase(), { copy, published, format: format === '3' ? 3 : 2 }),
  }))
  if (found === undefined)
    return { status: 503, body: 'This node is still copying the log: try again later\n', type: text }
  const { bundle } = found
  return bundle === undefined
    ? { ...notFound, body: 'This log has no certificate with that hash\n' }
    : { status: 200, body: `${JSON.stringify(bundle)}\n`, type: 'application/json' }
}
