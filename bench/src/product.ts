import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attachEmbedded } from '../../server/src/adapters/database/embedded/attach.ts'
import type { Database } from '../../server/src/ports/database/database.ts'
import { eventually } from '../../server/test/eventually.ts'
import { fillCertificates } from '../../server/test/many-certificates.ts'
import { type ConnectOptions, connectMqtt, type TestClient } from '../../server/test/mqtt-client.ts'
import { startServer as startProcess } from '../../server/test/server-process.ts'
import { silentLog } from '../../server/test/silent-log.ts'
import { freshVatId } from '../../server/test/vat-ids.ts'
import { repeat } from './rounds.ts'
import { send } from './send.ts'

/** The product as an operator starts it, with the embedded database and without its limits. */
export const startServer = async (dataDir: string, environment: Readonly<Record<string, string>> = {}) => {
  const startedAt = performance.now()
  const { child, ...server } = await startProcess({
    MILLSEAL_DATA_DIR: dataDir,
    MILLSEAL_VIES: 'off',
    MILLSEAL_UNVERIFIED_CERTIFICATES_PER_DAY: '0',
    MILLSEAL_UNVERIFIED_DELIVERIES_PER_DAY: '0',
    MILLSEAL_MAILS_PER_DAY: '0',
    MILLSEAL_DRAIN_MS: '0',
    ...environment,
  })
  /** It stops its database properly; the next start is slower otherwise. */
  const stop = async (): Promise<void> => {
    if (child.kill()) await once(child, 'exit')
  }
  // As a number: the name may resolve to two addresses, and the server listens on only one.
  const url = server.url.replace('localhost', '127.0.0.1')
  const { status } = await fetch(`${url}/api/ready`)
  const readyMs = performance.now() - startedAt
  if (status !== 200) throw new Error(`/api/ready answered ${status}`)
  return { url, pid: child.pid ?? 0, readyMs, [Symbol.asyncDispose]: stop }
}

type Api = <T = { readonly id: string }>(method: string, path: string, body?: unknown) => Promise<T>

export type Mill = Awaited<ReturnType<typeof startMill>>

const person = { username: 'measurer', email: 'measurer@example.com', password: 'correct horse battery' }
const address = { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' }

/** A server, and on it a company that can notarize in test mode. */
export const startMill = async (dataDir: string, environment: Readonly<Record<string, string>> = {}) => {
  await using starting = new AsyncDisposableStack()
  const { url, pid } = starting.use(await startServer(dataDir, environment))
  const headers: Record<string, string> = {}
  const api: Api = async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api${path}`, {
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
  /** All requests are for this company from then on. */
  const addCompany = async (name: string) => {
    const { id: company } = await api('POST', '/companies', { name, vatId: freshVatId(), address })
    headers['company'] = company
    const { id: wallet } = await api('POST', '/wallets?mode=test', {})
    const { id: identity } = await api('POST', '/identities?mode=test', { coinType: 822, account: 0, wallet })
    return { company, wallet, identity }
  }
  await api('POST', '/users', person)
  const link = await eventually(() => findLink(join(dataDir, 'mails')), { what: 'a mail with a link' })
  await fetch(`${url}${link}`, { redirect: 'manual' })
  await signIn()
  const first = await addCompany('A Mill')
  const started = starting.move()
  const stop = () => started.disposeAsync()
  return { url, pid, api, headers, ...first, signIn, addCompany, [Symbol.asyncDispose]: stop }
}

/** The link in the first mail. */
const findLink = async (folder: string): Promise<string | undefined> => {
  const name = (await readdir(folder).catch(() => [])).find((file) => file.endsWith('.eml'))
  const mail = name === undefined ? '' : await readFile(join(folder, name), 'utf8')
  const plain = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  return /\/confirm-email\?token=\S+/.exec(plain)?.[0]
}

/** The database of a running server. */
export const attachDatabase = async (dataDir: string): Promise<Database> => {
  const options = { dataDir, applicationName: 'bench', maxConnections: 4, log: silentLog }
  const database = await attachEmbedded(options)
  if (database === undefined) throw new Error('The server has no embedded database')
  return database
}

/** So many certificates of the company, and one of another, whose id it resolves with. */
export const fillMill = async (mill: Mill, database: Database, rows: number): Promise<string> => {
  const { company: smallCompanyId } = await mill.addCompany('A Small Mill')
  mill.headers['company'] = mill.company
  await fillCertificates(database.connection, { rows, companyId: mill.company, smallCompanyId })
  return smallCompanyId
}

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
    const clientId = `${clientIdPrefix}${name}`
    const client = await connectMqtt({ ...options, url: broker, username, password, clientId })
    const [granted = 128] = await client.subscribe(...wanted.slice(0, 1))
    if (granted > 2) throw new Error(`The broker refused the subscription of ${name}`)
    return client
  }
}
