import type { ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { connectMqtt, type TestClient } from '../../server/test/mqtt-client.ts'
import { freshVatId } from '../../server/test/vat-ids.ts'
import { startProcess, stopProcess } from './processes.ts'

export type Server = AsyncDisposable & {
  readonly url: string
  readonly pid: number
  /** From the start of the process to the first good answer of /api/ready. */
  readonly readyMs: number
}

export type Api = <T = { readonly id: string }>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<T>

const program = join(import.meta.dirname, '../../server/src/main.ts')

/** The product as an operator starts it, with the embedded database, on a free port and without its rate limit. */
export const startServer = async (
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> => {
  const startedAt = performance.now()
  const child = startProcess(program, {
    flags: ['--disable-proto=delete', '--max-semi-space-size=8'],
    environment: {
      MILLSEAL_PORT: '0',
      MILLSEAL_MQTT_PORT: '0',
      MILLSEAL_MQTTS_PORT: 'off',
      MILLSEAL_DATA_DIR: dataDir,
      MILLSEAL_RATE_LIMIT: '0',
      MILLSEAL_DRAIN_MS: '0',
      ...environment,
    },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  try {
    const url = await readUrl(child)
    const { status } = await fetch(`${url}/api/ready`)
    if (status !== 200) throw new Error(`/api/ready answers ${status}`)
    const readyMs = performance.now() - startedAt
    return { url, pid: child.pid, readyMs, [Symbol.asyncDispose]: () => stopProcess(child) }
  } catch (error) {
    await stopProcess(child)
    throw error
  }
}

/** As a number: the name may resolve to two addresses, and the server listens on only one. */
const readUrl = async ({ stderr }: ChildProcess): Promise<string> => {
  const lines: string[] = []
  if (stderr !== null) {
    for await (const line of createInterface({ input: stderr })) {
      lines.push(line)
      const url = /API\s+(\S+)\/api$/.exec(line)?.[1]
      if (url === undefined) continue
      stderr.resume()
      return url.replace('//localhost:', '//127.0.0.1:')
    }
  }
  throw new Error(`The server did not start: ${lines.join('\n')}`)
}

export const callerOf =
  (url: string, always: Readonly<Record<string, string>> = {}): Api =>
  async <T>(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...always, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as T
  }

const person = { username: 'measurer', email: 'measurer@example.com', password: 'correct horse battery' }
const mailDeadlineMs = 20_000

/** Registers, opens the link in the mail and signs in. Resolves with the access token. */
export const signUp = async ({ url }: Server, dataDir: string): Promise<string> => {
  await callerOf(url)('POST', '/users', person)
  await fetch(`${url}${await waitForLink(join(dataDir, 'mails'))}`, { redirect: 'manual' })
  return signIn(url)
}

export const signIn = async (url: string): Promise<string> =>
  (await callerOf(url)<{ accessToken: string }>('POST', '/auth/login', person)).accessToken

const waitForLink = async (folder: string): Promise<string> => {
  const until = performance.now() + mailDeadlineMs
  while (performance.now() < until) {
    const name = (await readdir(folder).catch(() => [])).find((file) => file.endsWith('.eml'))
    const mail = name === undefined ? '' : await readFile(join(folder, name), 'utf8')
    const plain = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
    const link = /\/api\/users\/confirm-email\?token=\S+/.exec(plain)?.[0]
    if (link !== undefined) return link
    await pause(20)
  }
  throw new Error(`No mail with a link arrived within ${mailDeadlineMs / 1_000} s`)
}

export const companyOf = (name: string) => ({
  name,
  vatId: freshVatId(),
  address: { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' },
})

/** A company that can notarize in test mode. */
export type Mill = {
  readonly url: string
  readonly pid: number
  readonly api: Api
  readonly headers: Readonly<Record<string, string>>
  readonly identity: string
}

export const openMill = async ({ url, pid }: Server, token: string): Promise<Mill> => {
  const authorization = `Bearer ${token}`
  const { id: company } = await callerOf(url, { authorization })('POST', '/companies', companyOf('A Mill'))
  const headers = { authorization, company }
  const api = callerOf(url, headers)
  const { id: wallet } = await api('POST', '/wallets?mode=test', {})
  const { id: identity } = await api('POST', '/identities?mode=test', { coinType: 822, account: 0, wallet })
  return { url, pid, api, headers, identity }
}

/** Starts a server with a mill that has published its identity, so that verifications name it. */
export const startMill = async (folder: string): Promise<Mill & AsyncDisposable> => {
  const dataDir = join(folder, 'data')
  const server = await startServer(dataDir)
  const mill = await openMill(server, await signUp(server, dataDir))
  await mill.api('POST', `/identities/${mill.identity}/notarize?mode=test`, {})
  return { ...mill, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

export const notarize = (
  { api, identity }: Mill,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ jobId?: string }> =>
  api('POST', `/certificates/notarize?mode=test&identity=${identity}`, body, headers)

export type Broker = {
  readonly username: string
  readonly clientIdPrefix: string
  readonly mqttUrl: string
  readonly topics: readonly string[]
}

export const subscribe = async (broker: Broker, password: string, name: string): Promise<TestClient> => {
  const { mqttUrl, username, clientIdPrefix, topics } = broker
  const url = mqttUrl.replace('//localhost:', '//127.0.0.1:')
  const client = await connectMqtt({ url, username, password, clientId: `${clientIdPrefix}${name}` })
  const granted = await client.subscribe(...topics.slice(0, 1))
  if (granted.some((code) => code > 2)) throw new Error(`The broker refused the subscription of ${name}`)
  return client
}
