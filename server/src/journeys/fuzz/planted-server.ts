import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Defect, plantedActors } from './planted-document.ts'

class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Thing = { readonly id: string; readonly owner: string; readonly name: unknown; readonly kind: unknown }

type Shop = {
  readonly has: (defect: Defect) => boolean
  readonly things: Map<string, Thing>
  readonly deleted: Map<string, Thing>
}

/** Stores things correctly, except for the given defect. */
export const startPlantedServer = async (defect?: Defect) => {
  const shop: Shop = { has: (name) => name === defect, things: new Map(), deleted: new Map() }
  const server = createServer((request, response) => void serve(shop, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Something of the owner's, so that there is something to read. */
    put: (): string => create(shop, { name: 'plate 1', kind: 'plate' }, 'owner').id,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const serve = async (shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { has } = shop
  const bytes = await buffer(request)
  const respond = (status: number, body: unknown, type = 'application/json') => {
    const left = has('no header says what is left') ? {} : { 'x-ratelimit-remaining': '9' }
    response.writeHead(status, { 'content-type': type, ...left })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  if (has('the connection is closed without an answer') && bytes.includes('\\u0000')) {
    response.destroy()
    return
  }
  try {
    const { status, body } = answer(shop, request, bytes)
    respond(status, body, has('an undocumented content type') ? 'text/plain' : undefined)
  } catch (error) {
    const status = error instanceof Refused ? error.status : 500
    if (has('an error is a page of HTML') && status === 404) {
      respond(404, '<h1>Not found</h1>', 'text/html')
      return
    }
    const message = has('an error tells where in the code') ? String((error as Error).stack) : String(error)
    const about = { path: request.url, method: request.method, timestamp: new Date(0).toISOString() }
    respond(status, { statusCode: status, ...about, message, name: 'Error', details: [] })
  }
}

const answer = (shop: Shop, request: IncomingMessage, bytes: Buffer): { status: number; body: unknown } => {
  const { has, things, deleted } = shop
  const caller = callerOf(shop, request)
  const [path = '', query = ''] = (request.url ?? '').split('?')
  if (request.method === 'POST') {
    if (request.headers['content-type'] !== 'application/json') throw new Refused(400, 'Send JSON')
    const made = create(shop, readBody(shop, bytes), caller)
    return { status: has('an undocumented status') ? 202 : 201, body: shown(shop, made) }
  }
  if (path === '/things') {
    const limit = new URLSearchParams(query).get('limit') ?? '1'
    if (!/^\d+$/.test(limit)) throw refusal(shop, 'a bad query is a 500')
    const own = [...things.values()].filter(({ owner }) => owner === caller)
    return { status: 200, body: own.map((thing) => shown(shop, thing)) }
  }
  const found = find(shop, path, caller)
  if (request.method !== 'DELETE') return { status: 200, body: shown(shop, found) }
  things.delete(found.id)
  deleted.set(found.id, found)
  return { status: 200, body: {} }
}

/** The error of a server with this defect, and of one without. */
const refusal = ({ has }: Shop, defect: Defect): Error =>
  has(defect) ? new Error('unforeseen') : new Refused(400, 'The request is not valid')

const callerOf = ({ has }: Shop, { headers, method }: IncomingMessage): string => {
  const token = headers.authorization?.replace('Bearer ', '')
  const caller = plantedActors.find((actor) => actor.token === token)?.name
  const needsNone = has('deleting takes no token') && method === 'DELETE'
  const isLax = needsNone || (has('any token will do') && token !== undefined)
  if (caller === undefined && !isLax) throw new Refused(401, 'Who are you?')
  return caller ?? 'owner'
}

const reading = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const readBody = (shop: Shop, bytes: Buffer): unknown => {
  if (bytes[0] === 0xef) throw refusal(shop, 'a byte order mark is a 500')
  if (/(\{"a":){100}/.test(bytes.toString('latin1'))) throw refusal(shop, 'deep JSON is a 500')
  try {
    return JSON.parse(reading.decode(bytes))
  } catch {
    throw new Refused(400, 'Not JSON')
  }
}

const create = (shop: Shop, body: unknown, owner: string): Thing => {
  const { has, things } = shop
  if (typeof body !== 'object' || body === null) throw new Refused(400, 'Not an object')
  const { name, kind, pieces } = body as Record<string, unknown>
  if (typeof name !== 'string') throw new Refused(400, 'No name')
  if (name.includes('\u0000')) throw refusal(shop, 'a NUL in a string is a 500')
  if (name.length > 30 && !has('a limit of length is ignored')) throw new Refused(400, 'A long name')
  if (kind !== 'plate' && kind !== 'coil' && !has('an enum is ignored')) throw new Refused(400, 'No kind')
  if (Number(pieces) > 2 ** 40) throw refusal(shop, 'a large number is a 500')
  const isCount = Number.isInteger(pieces) && Number(pieces) >= 0 && Number(pieces) <= 100
  if (pieces !== undefined && !isCount) throw new Refused(400, 'Pieces')
  const made: Thing = {
    id: crypto.randomUUID(),
    owner,
    name: has('a property of the wrong type is answered') ? 7 : name,
    kind,
    ...(pieces === undefined ? {} : { pieces }),
  }
  things.set(made.id, made)
  return made
}

const find = (shop: Shop, path: string, caller: string): Thing => {
  const { has, things, deleted } = shop
  const id = decode(shop, path.split('/')[2] ?? '')
  const found = things.get(id) ?? (has('a deleted record is shown') ? deleted.get(id) : undefined)
  const isTheirs = found?.owner === caller || has('a foreign record is shown')
  if (found === undefined || !isTheirs) throw new Refused(404, 'There is no such thing')
  return found
}

const decode = (shop: Shop, segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw refusal(shop, 'a path that cannot be decoded is a 500')
  }
}

const shown = ({ has }: Shop, { owner, ...rest }: Thing): object =>
  has('an undeclared property is answered') ? { ...rest, owner } : rest
