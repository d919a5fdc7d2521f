import { globSync, readFileSync } from 'node:fs'
import { Agent, request, type RequestOptions } from 'node:http'
import { join } from 'node:path'
import { openForCommand } from '../../server/src/compose/commands.ts'
import { readConfig } from '../../server/src/config.ts'
import { createLog } from '../../server/src/lib/log.ts'
import type { Database } from '../../server/src/ports/database/database.ts'
import { eventually } from '../../server/test/eventually.ts'
import { fillCertificates, readBlocks } from '../../server/test/many-certificates.ts'
import { type ConnectOptions, connectMqtt, type TestClient } from '../../server/test/mqtt-client.ts'
import { readinessOf, restartable } from '../../server/test/restartable.ts'
import { freePort, serverSources } from '../../server/test/server-process.ts'
import { freshVatId } from '../../server/test/vat-ids.ts'
import { repeat } from './measuring.ts'

/** The product as an operator starts it, with the embedded database and without its limits. */
export const startServer = async (dataDir: string, environment: Readonly<Record<string, string>> = {}) => {
  const settings = {
    MILLSEAL_DATA_DIR: dataDir,
    MILLSEAL_VIES: 'off',
    MILLSEAL_SAMPLES: 'off',
    MILLSEAL_UNVERIFIED_CERTIFICATES_PER_DAY: '0',
    MILLSEAL_UNVERIFIED_DELIVERIES_PER_DAY: '0',
    MILLSEAL_MAILS_PER_DAY: '0',
    MILLSEAL_DRAIN_MS: '0',
    ...environment,
  }
  const { url, pid, start, stop } = restartable(settings, await freePort(), serverSources)
  await start()
  const problem = await readinessOf(url)
  if (problem !== '') throw new Error(`/api/ready answered ${problem}`)
  // It stops its database properly; the next start is slower otherwise.
  return { url, pid: pid(), [Symbol.asyncDispose]: stop }
}

export type Mill = Awaited<ReturnType<typeof startMill>>

const person = { username: 'measurer', email: 'measurer@example.com', password: 'correct horse battery' }
const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }

/** A server, and on it a company that can notarize in test mode. */
export const startMill = async (dataDir: string, environment: Readonly<Record<string, string>> = {}) => {
  await using starting = new AsyncDisposableStack()
  const { url, pid } = starting.use(await startServer(dataDir, environment))
  const headers: Record<string, string> = {}
  const api = async <T = { readonly id: string }>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
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
  /** All requests are for this company from then on. */
  const addCompany = async (name: string) => {
    const { id: company } = await api('POST', '/companies', { name, vatId: freshVatId(), address })
    headers['company'] = company
    const { id: wallet } = await api('POST', '/wallets?mode=test', {})
    const { id: identity } = await api('POST', '/identities?mode=test', { coinType: 822, account: 0, wallet })
    return { company, wallet, identity }
  }
  await api('POST', '/users', person)
  const link = await eventually(() => findLink(dataDir), { what: 'a mail with a link' })
  await fetch(`${url}${link}`, { redirect: 'manual' })
  await signIn()
  const first = await addCompany('A Mill')
  const started = starting.move()
  const stop = () => started.disposeAsync()
  return { url, pid, api, headers, ...first, signIn, addCompany, [Symbol.asyncDispose]: stop }
}

/** The link in the first mail. */
const findLink = (dataDir: string): string | undefined => {
  const [mail = ''] = globSync(join(dataDir, 'mails/*.eml')).map((file) => readFileSync(file, 'utf8'))
  return /\/confirm-email\?token=\S+/.exec(mail)?.[0]
}

/** That of the running server, or else a durable one with all tables, for this process alone. */
export const openDatabase = (dataDir: string): Promise<Database> =>
  openForCommand(readConfig({ MILLSEAL_DATA_DIR: dataDir }), createLog('silent'))

/** So many certificates of the company, and one of another, whose id it resolves with. */
export const fillMill = async (mill: Mill, dataDir: string, rows: number): Promise<string> => {
  const { company: smallCompanyId } = await mill.addCompany('A Small Mill')
  mill.headers['company'] = mill.company
  await using database = await openDatabase(dataDir)
  await fillCertificates(database.connection, { rows, companyId: mill.company, smallCompanyId })
  await readBlocks({ database })
  return smallCompanyId
}

const kept = new Agent({ keepAlive: true })

type Sent = Pick<RequestOptions, 'agent' | 'headers'> & {
  /** POSTed; without, the request is GET. */
  readonly body?: string | Uint8Array
  /** Every answer must have it. Without, each is good that is no fault of the server. */
  readonly status?: number
}

/** Waits for the whole answer and does not read it. A client on bare sockets would leave the server 15 % more to answer. */
export const send = (url: string, { body, status, ...options }: Sent): Promise<void> =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(url, { method, agent: kept, ...options }, (answer) => {
      const { statusCode = 500 } = answer
      const isGood = status === undefined ? statusCode < 500 : statusCode === status
      if (!isGood) reject(new Error(`${url} answered ${statusCode}`))
      answer.once('end', resolve).resume()
    })
    sent.once('error', reject).end(body)
  })

/** Those who notarize at the same time. */
export const clients = 16

export const notarize = ({ api, identity }: Mill, body: string): Promise<{ jobId?: string }> =>
  api('POST', `/certificates/notarize?mode=test&identity=${identity}`, body)

/** Takes one of the bodies and notarizes it, at the lowest cost for the processor that the server needs. */
export const sendNext = ({ url, headers, identity }: Mill, bodies: Buffer[]): Promise<void> =>
  send(`${url}/api/certificates/notarize?mode=test&identity=${identity}`, {
    headers: { ...headers, 'content-type': 'application/json' },
    body: bodies.pop() ?? '',
    status: 201,
  })

/** Takes so many of the bodies. Resolves with their number once they are notarized. */
export const notarizeMany = async (mill: Mill, bodies: Buffer[], times: number): Promise<number> => {
  await repeat(() => sendNext(mill, bodies), { times, concurrent: clients })
  await drain(mill)
  return times
}

/** Until every certificate is notarized. */
export const drain = async ({ api }: Mill): Promise<void> => {
  const isNone = async (state: string): Promise<boolean> =>
    (await api<unknown[]>('GET', `/certificates?mode=test&state=${state}&limit=1`)).length === 0
  // Asking more often would be a part of what is measured.
  await eventually(async () => (await isNone('accepted')) && (await isNone('running')), { everyMs: 200 })
  if (!(await isNone('failed'))) throw new Error('A notarization failed')
}

/** Makes MQTT clients that have subscribed to all events of the user, or to some of the company. */
export const openBroker = async ({ url, headers }: Mill, ofCompany?: string) => {
  const { authorization = '', company = '' } = headers
  const asked = ofCompany === undefined ? { authorization } : { authorization, company }
  const answer = await fetch(`${url}/api/broker`, { headers: asked })
  const { mqttUrl, username, clientIdPrefix, topics } = (await answer.json()) as Readonly<
    Record<'username' | 'clientIdPrefix' | 'mqttUrl', string>
  > & { topics: string[] }
  const broker = mqttUrl.replace('//localhost:', '//127.0.0.1:')
  const password = authorization.replace('Bearer ', '')
  const topic = topics.find((one) => one.endsWith(ofCompany ?? '')) ?? ''
  return async (
    name: string,
    options: Pick<ConnectOptions, 'clean' | 'keepalive' | 'onReceived'> = {},
  ): Promise<TestClient> => {
    const clientId = `${clientIdPrefix}${name}`
    const client = await connectMqtt({ ...options, url: broker, username, password, clientId })
    const [granted = 128] = await client.subscribe(topic)
    if (granted > 2) throw new Error(`The broker refused the subscription of ${name}`)
    return client
  }
}
