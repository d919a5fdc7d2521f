import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually } from '../../server/test/eventually.ts'
import { type ConnectOptions, connectMqtt, type TestClient } from '../../server/test/mqtt-client.ts'
import { nodeEnvironment } from '../../server/test/node-environment.ts'
import { freshVatId } from '../../server/test/vat-ids.ts'

const program = join(import.meta.dirname, '../../server/src/main.ts')

/** The product as an operator starts it, with the embedded database, on a free port and without its rate limit. */
export const startServer = async (dataDir: string, environment: NodeJS.ProcessEnv = {}) => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--disable-proto=delete', '--max-semi-space-size=8', program], {
    env: {
      ...nodeEnvironment(),
      MILLSEAL_PORT: '0',
      MILLSEAL_MQTT_PORT: '0',
      MILLSEAL_MQTTS_PORT: 'off',
      MILLSEAL_DATA_DIR: dataDir,
      MILLSEAL_RATE_LIMIT: '0',
      MILLSEAL_UNVERIFIED_CERTIFICATES_PER_DAY: '0',
      MILLSEAL_UNVERIFIED_DELIVERIES_PER_DAY: '0',
      MILLSEAL_DRAIN_MS: '0',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = async (): Promise<void> => {
    if (child.kill()) await once(child, 'exit')
  }
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    // As a number: the name may resolve to two addresses, and the server listens on only one.
    const url = /API\s+(\S+)\/api$/.exec(line)?.[1]?.replace('//localhost:', '//127.0.0.1:')
    if (url === undefined) continue
    child.stderr.resume()
    const { status } = await fetch(`${url}/api/ready`)
    const readyMs = performance.now() - startedAt
    if (status === 200) return { url, pid: child.pid ?? 0, readyMs, [Symbol.asyncDispose]: stop }
    lines.push(`/api/ready answers ${status}`)
  }
  throw new Error(`The server did not start: ${lines.join('\n')}`)
}

type Api = <T = { readonly id: string }>(method: string, path: string, body?: unknown) => Promise<T>

export type Mill = Awaited<ReturnType<typeof startMill>>

const person = { username: 'measurer', email: 'measurer@example.com', password: 'correct horse battery' }
const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }

/** A server, and on it a company that can notarize in test mode. */
export const startMill = async (dataDir: string, environment: NodeJS.ProcessEnv = {}) => {
  await using starting = new AsyncDisposableStack()
  const server = starting.use(await startServer(dataDir, environment))
  const headers: Record<string, string> = {}
  const api: Api = async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as T
  }
  /** The access token of a session is valid for 15 minutes. */
  const signIn = async (): Promise<void> => {
    const { accessToken } = await api<{ accessToken: string }>('POST', '/auth/login', person)
    headers['authorization'] = `Bearer ${accessToken}`
  }
  await api('POST', '/users', person)
  const link = await eventually(() => findLink(join(dataDir, 'mails')), { what: 'a mail with a link' })
  await fetch(`${server.url}${link}`, { redirect: 'manual' })
  await signIn()
  const { id: company } = await api('POST', '/companies', { name: 'A Mill', vatId: freshVatId(), address })
  headers['company'] = company
  const { id: wallet } = await api('POST', '/wallets?mode=test', {})
  const { id: identity } = await api('POST', '/identities?mode=test', { coinType: 822, account: 0, wallet })
  const { url, pid } = server
  const started = starting.move()
  const stop = () => started.disposeAsync()
  return { url, pid, api, headers, company, wallet, identity, signIn, [Symbol.asyncDispose]: stop }
}

/** The link in the first mail. */
const findLink = async (folder: string): Promise<string | undefined> => {
  const name = (await readdir(folder).catch(() => [])).find((file) => file.endsWith('.eml'))
  const mail = name === undefined ? '' : await readFile(join(folder, name), 'utf8')
  const plain = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  return /\/confirm-email\?token=\S+/.exec(plain)?.[0]
}

export const notarize = ({ api, identity }: Mill, body: string): Promise<{ jobId?: string }> =>
  api('POST', `/certificates/notarize?mode=test&identity=${identity}`, body)

type Broker = Record<'username' | 'clientIdPrefix' | 'mqttUrl', string> & { topics: string[] }

/** Makes MQTT clients that have subscribed to all events of the user, or to some of the company. */
export const openBroker = async ({ url, headers }: Mill, ofCompany?: string) => {
  const { authorization = '', company = '' } = headers
  const answer = await fetch(`${url}/api/broker`, {
    headers: ofCompany === undefined ? { authorization } : { authorization, company },
  })
  const { mqttUrl, username, clientIdPrefix, topics } = (await answer.json()) as Broker
  const broker = mqttUrl.replace('//localhost:', '//127.0.0.1:')
  const password = authorization.replace('Bearer ', '')
  const wanted = topics.filter((topic) => topic.endsWith(ofCompany ?? ''))
  return async (
    name: string,
    options: Pick<ConnectOptions, 'clean' | 'keepalive' | 'onReceived'> = {},
  ): Promise<TestClient> => {
    const client = await connectMqtt({
      ...options,
      url: broker,
      username,
      password,
      clientId: `${clientIdPrefix}${name}`,
    })
    const [granted = 128] = await client.subscribe(...wanted.slice(0, 1))
    if (granted > 2) throw new Error(`The broker refused the subscription of ${name}`)
    return client
  }
}
