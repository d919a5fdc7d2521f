import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import {
  checkpointIn,
  cosign,
  type Cosigner,
  cosignerKey,
  type CosignerKey,
  formatCosignerKey,
  splitNote,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { openTestDatabase } from './database.ts'
import { addressOf, startOwnServer, type TestServer, type TestServerOptions } from './test-server.ts'

/** A cosigner of another organisation, in this process. It believes that a log extends what it was. */
export type TestCosigner = AsyncDisposable & {
  readonly key: CosignerKey
  readonly vkey: string
  readonly url: string
  /** It answers that it is not available until it is started again, and remembers what it has signed. */
  stop(): void
  start(): void
}

export const startCosigner = async (name: string): Promise<TestCosigner> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
  const key = cosignerKey(name, raw, nodePrimitives)
  const cosigner: Cosigner = { key, sign: (message) => sign(null, message, privateKey) }
  const sizes = new Map<string, number>()
  let isStopped = false
  const http = createServer((request, response) => {
    if (isStopped) response.writeHead(503).end()
    else void answer(request, response, { cosigner, sizes })
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  return {
    key,
    vkey: formatCosignerKey(key),
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    stop: () => void (isStopped = true),
    start: () => void (isStopped = false),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((closed) => http.close(closed))
    },
  }
}

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  { cosigner, sizes }: { readonly cosigner: Cosigner; readonly sizes: Map<string, number> },
): Promise<void> => {
  const [first = '', ...rest] = (await readText(request)).split('\n')
  const note = rest.slice(rest.indexOf('') + 1).join('\n')
  const { origin, size } = checkpointIn(note)
  const known = sizes.get(origin) ?? 0
  if (first !== `old ${known}`) {
    response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${known}\n`)
    return
  }
  sizes.set(origin, size)
  response.end(`${await cosign(splitNote(note).text, Math.floor(Date.now() / 1_000), cosigner)}\n`)
}

export type CosignedServer = AsyncDisposable & {
  readonly server: TestServer
  readonly cosigners: readonly TestCosigner[]
  /** Another process on the same database, with the same settings. */
  startAgain(): Promise<TestServer>
}

/** A service whose logs three others cosign, any two of whom are a quorum. */
export const startCosignedServer = async ({
  environment: given,
}: {
  readonly environment?: TestServerOptions['environment']
} = {}): Promise<CosignedServer> => {
  await using opening = new AsyncDisposableStack()
  const names = ['inspector.example', 'association.example', 'mill-b.example']
  const cosigners: TestCosigner[] = []
  for (const name of names) cosigners.push(opening.use(await startCosigner(name)))
  const { path } = opening.use(await makeTemporaryFolder())
  const policy = join(path, 'cosigners.policy')
  const lines = cosigners.map(({ vkey, url }, at) => `witness w${at + 1} ${vkey} ${url}\n`)
  await writeFile(policy, `${lines.join('')}group others 2 w1 w2 w3\nquorum others\n`)
  const environment = { ...given, MILLSEAL_COSIGNERS: policy }
  const databaseUrl = addressOf(opening.use(await openTestDatabase()))
  const server = opening.use(await startOwnServer({ databaseUrl, environment }))
  const opened = opening.move()
  return {
    server,
    cosigners,
    startAgain: () => startOwnServer({ databaseUrl, environment }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
