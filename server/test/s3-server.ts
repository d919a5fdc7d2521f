import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createS3Files, type S3Place } from '../src/adapters/files/s3/s3.ts'
import { Secret } from '../src/lib/secret.ts'
import { eventually } from './eventually.ts'
import { goProgram } from './go-program.ts'
import { keep, keptFolder } from './kept-build.ts'
import { freePort } from './server-process.ts'
import { isOpen } from './open-port.ts'

/** An S3 server that is not ours. It keeps objects in memory, and checks conditions under a lock. */
const version = 'v1.2.0'
const folder = keptFolder('gofakes3', version)
const program = join(folder, 'gofakes3')

/** Why there can be no S3 server here, or false. CI installs it, so nothing is skipped there. */
export const lacksS3 = async (): Promise<string | false> => {
  const mayInstall = process.env['CI'] === 'true' && process.getuid?.() === 0
  if (!existsSync(program) && mayInstall) await install()
  return existsSync(program)
    ? false
    : `gofakes3 is not installed: GOBIN=${folder} go install github.com/johannesboyne/gofakes3/cmd/gofakes3@${version}`
}

const install = (): Promise<void> =>
  keep(folder, (unfinished) =>
    promisify(execFile)(goProgram, ['install', `github.com/johannesboyne/gofakes3/cmd/gofakes3@${version}`], {
      env: { ...process.env, GOBIN: unfinished, GOFLAGS: '-modcacherw' },
    }),
  )

export type TestS3 = AsyncDisposable & {
  readonly address: string
  readonly pid: number
  /** A place in a bucket of this server; each prefix is a place of its own. */
  placeOf(prefix: string, address?: string): S3Place
  /** Settings of a server or command whose files are there. */
  settingsOf(prefix: string): Readonly<Record<string, string>>
}

const key = { id: 'tests', secret: 'secret-of-tests' }
const bucket = 'millseal'

export const startS3 = async (): Promise<TestS3> => {
  const port = await freePort()
  const child = spawn(
    program,
    ['-host', `127.0.0.1:${port}`, '-backend', 'memory', '-initialbucket', bucket, '-quiet'],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'close')
  const address = `http://127.0.0.1:${port}`
  await eventually(
    () => {
      if (child.exitCode !== null) throw new Error('gofakes3 did not start')
      return isOpen(port)
    },
    { what: 'gofakes3 starts', everyMs: 20 },
  )
  return {
    address,
    pid: child.pid ?? 0,
    placeOf: (prefix, at = address) => s3PlaceAt(at, prefix),
    settingsOf: (prefix) => ({
      MILLSEAL_S3_ENDPOINT: address,
      MILLSEAL_S3_BUCKET: bucket,
      MILLSEAL_S3_PREFIX: prefix,
      MILLSEAL_S3_KEY_ID: key.id,
      MILLSEAL_S3_SECRET: key.secret,
    }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export const s3PlaceAt = (endpoint: string, prefix: string): S3Place => ({
  endpoint,
  prefix,
  bucket,
  region: 'us-east-1',
  isVirtualHost: false,
  keyId: key.id,
  secret: new Secret(key.secret),
})

/** `endpoint prefix` of files in S3, as an argument of another process. */
export const openS3Argument = (argument: string) => {
  const [endpoint = '', prefix = ''] = argument.split(' ')
  return createS3Files(s3PlaceAt(endpoint, prefix))
}

/**
 * `lost`: it is done, but the connection ends before the answer. `cut`: after half of the answer. `silent`: never answered, but
 * done when `release` is called. A number: an answer without doing it.
 */
export type Fault = 'lost' | 'cut' | 'silent' | number
export type Asked = { readonly method: string; readonly key: string; readonly isConditional: boolean }

export type FaultyS3 = AsyncDisposable & {
  readonly address: string
  /** Asked for each request. */
  fault: (asked: Asked) => Fault | undefined
  /** Requests by method. */
  readonly requests: ReadonlyMap<string, number>
  /** Does what was not answered, late. */
  release(): Promise<void>
}

/** Between a client and a server of S3. */
export const startFaultyS3 = async (server: TestS3): Promise<FaultyS3> => {
  const held: (() => Promise<unknown>)[] = []
  const requests = new Map<string, number>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const { pathname } = new URL(request.url ?? '', server.address)
    const { 'if-match': match, 'if-none-match': none } = request.headers
    const isConditional = (match ?? none) !== undefined
    const { method = '' } = request
    requests.set(method, (requests.get(method) ?? 0) + 1)
    const fault = proxy.fault({
      method,
      key: pathname.slice(bucket.length + 2),
      isConditional,
    })
    if (typeof fault === 'number') return void response.writeHead(fault).end()
    if (fault === 'silent') return void held.push(() => pass(server, request, body))
    const { status, headers, bytes } = await pass(server, request, body)
    if (fault === 'lost') return void request.socket.destroy()
    response.writeHead(status, headers)
    if (fault === undefined) return void response.end(bytes)
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => request.socket.destroy())
  }
  const listener = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const at = listener.address()
  const proxy: FaultyS3 = {
    address: `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`,
    fault: () => undefined,
    requests,
    async release() {
      for (const one of held.splice(0)) await one()
    },
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections()
      listener.close()
      await once(listener, 'close')
    },
  }
  return proxy
}

const pass = async (server: TestS3, { method, url, headers }: IncomingMessage, body: Buffer) => {
  const asked = forward(new URL(url ?? '', server.address), { method, headers })
  const answered = once(asked, 'response')
  asked.end(body)
  const [response] = (await answered) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) }
}
