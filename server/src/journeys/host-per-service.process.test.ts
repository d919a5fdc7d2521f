import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type Operation, operations, type Service, services } from '@millseal/contract'
import { type Client, createClient } from '@millseal/sdk'
import { sampleCertificate } from '../../test/certificates.ts'
import { openTestDatabase } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { everyScope } from '../../test/machines.ts'
import { connectMqtt } from '../../test/mqtt-client.ts'
import { password } from '../../test/people.ts'
import { type Receiver, startReceiver } from '../../test/receiver.ts'
import { restartable } from '../../test/restartable.ts'
import { ask, nginxWith, proxyHost, type ReverseProxy, startProxy } from '../../test/reverse-proxies.ts'
import { freePort } from '../../test/server-process.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf, linkIn, waitForMails } from '../../test/test-server.ts'
import { freshVatId } from '../../test/vat-ids.ts'

const root = join(import.meta.dirname, '../../..')
const shortName = (service: Service): string => service.replace('-service', '')
const hostOf = (service: Service): string => `${shortName(service)}.${proxyHost}`

/** The name in the TLS handshake is that of the request. */
const wsOptions = { headers: { host: proxyHost }, servername: proxyHost }

/** What the page tells operators to do with the two files of nginx. */
const installSites = async (folder: string): Promise<readonly string[]> => {
  const page = await readFile(join(root, 'docs/deploy.md'), 'utf8')
  const [, section = ''] = page.split('\n## One host per service\n')
  const [, commands = ''] = /```sh\n(cp deploy\/nginx.*?)```/s.exec(section) ?? []
  assert.match(commands, /services\.conf/)
  const local = commands
    .replace(/^(nginx|systemctl) .*$/gm, '')
    .replaceAll('/etc/nginx/conf.d/', `${folder}/`)
  await promisify(execFile)('sh', ['-euc', local], { cwd: root })
  return ['millseal.conf', 'services.conf'].map((name) => join(folder, name))
}

/** The host of the service of each operation, or always the public host, which knows the paths. */
const fetchThrough =
  (proxy: ReverseProxy, isPublic: boolean): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { hostname, pathname, search } = new URL(request.url)
    const { status, headers, text } = await ask(proxy, {
      host: isPublic ? proxyHost : hostname,
      path: `${pathname}${search}`,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(request.body === null ? {} : { body: await request.text() }),
    })
    const given = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
    return new Response(status === 204 ? null : text, { status, headers: given })
  }

/** A client that sends each operation to the host of its service. */
const clientOfHosts = (proxy: ReverseProxy, accessToken?: string): Client => {
  const clients = new Map(
    services.map((service) => [
      service,
      createClient({
        baseUrl: `https://${hostOf(service)}`,
        fetch: fetchThrough(proxy, false),
        ...(accessToken === undefined ? {} : { accessToken }),
      }),
    ]),
  )
  const all: Readonly<Record<string, Operation>> = operations
  return new Proxy({} as Client, {
    get(_none, name: keyof Client) {
      const service = all[name]?.service
      return clients.get(service === undefined || service === 'every-service' ? 'user-service' : service)?.[
        name
      ]
    },
  })
}

describe('five processes with one service and one host each', {
  skip: await nginxWith([]).lacks(),
}, () => {
  let stack: AsyncDisposableStack
  let proxy: ReverseProxy
  let receiver: Receiver
  let dataDir: string

  before(async () => {
    stack = new AsyncDisposableStack()
    const { path } = stack.use(await makeTemporaryFolder())
    dataDir = join(path, 'data')
    receiver = stack.use(await startReceiver())
    const database = stack.use(await openTestDatabase())
    const shared = {
      DATABASE_URL: addressOf(database),
      MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
      MILLSEAL_PUBLIC_URL: `https://${proxyHost}`,
      MILLSEAL_TRUST_PROXY: '127.0.0.1',
      MILLSEAL_DATA_DIR: dataDir,
      MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8',
      MILLSEAL_VIES: 'off',
    }
    const startOf = async (service: Service, index: number): Promise<string> => {
      const own = {
        MILLSEAL_SERVICES: shortName(service),
        // nginx sends MQTT to the first two.
        MILLSEAL_ROLES: index < 2 ? 'api,worker,broker' : 'api,worker',
      }
      const server = restartable({ ...shared, ...own }, await freePort())
      stack.defer(() => server.kill())
      await server.start()
      return server.url
    }
    const urls = await Promise.all(services.map(startOf))
    const sites = await installSites(await mkdtemp(join(path, 'sites-')))
    proxy = stack.use(
      await startProxy(nginxWith(sites), urls, [proxyHost, ...services.map((service) => hostOf(service))]),
    )
  })
  after(() => stack.disposeAsync())

  for (const isPublic of [false, true]) {
    const through = isPublic ? 'the public host, which knows the paths' : 'the host of each service'
    test(`a mill signs up, notarizes, gets events and verifies through ${through}`, async () => {
      const name = isPublic ? 'at-one-host' : 'at-five-hosts'
      const clientOf = (accessToken?: string): Client =>
        isPublic
          ? createClient({
              baseUrl: `https://${proxyHost}`,
              fetch: fetchThrough(proxy, true),
              ...(accessToken === undefined ? {} : { accessToken }),
            })
          : clientOfHosts(proxy, accessToken)
      const email = `${name}@example.com`
      await clientOf().registerUser({ body: { username: name, email, password } })
      const [mail = ''] = await waitForMails(join(dataDir, 'mails'), {
        address: email,
        atLeast: 1,
        about: /^/,
      })
      const link = linkIn(mail)
      assert.equal(link.host, proxyHost)
      assert.ok((await ask(proxy, { path: `${link.pathname}${link.search}` })).status < 400)
      const { accessToken } = await clientOf().login({ body: { username: name, password } })
      const person = clientOf(accessToken)
      const { id: company } = await person.createCompany({
        body: {
          name: 'Mill',
          vatId: freshVatId(),
          address: { country: 'AT', street: 'Furnace Street 1', city: 'Steelton', zipCode: '4020' },
        },
      })
      const body = { description: 'ERP', mode: 'test', scopes: everyScope } as const
      const { clientId, clientSecret } = await person.createApplication({ company, body })
      const token = await clientOf().createToken({ body: { clientId, clientSecret } })
      const machine = clientOf(token.accessToken)
      const { id: hook } = await person.createHook({
        company,
        body: {
          connectionUrl: `${receiver.url}/${name}`,
          mode: 'test',
          scopes: [{ resource: 'certificates', actions: ['notarize_one'] }],
        },
      })
      const { username, clientIdPrefix, topics } = await machine.readBroker({})
      await using subscriber = await connectMqtt({
        url: `wss://127.0.0.1:${proxy.httpsPort}/ws/mqtt`,
        wsOptions,
        username,
        password: token.accessToken,
        clientId: `${clientIdPrefix}erp`,
      })
      await subscriber.subscribe(...topics)
      const identity = await newIdentity(machine, company)
      const certificate = JSON.stringify(sampleCertificate({ number: name }))
      const document = new Blob([certificate], { type: 'application/json' })
      const query = { mode: 'test' } as const
      const { jobId } = await machine.notarizeCertificate({
        company,
        query: { ...query, identity: identity.id },
        document,
      })
      const { state, error } = await endedNotarization(machine, { company, jobId })
      assert.equal(state, 'notarized', error)
      assert.equal((await clientOf().verifyCertificate({ query, document })).isValid, true)
      await subscriber.receive(1)
      const isPosted = () => receiver.received.some(({ path }) => path.endsWith(`/${name}`))
      await eventually(isPosted, { what: 'the webhook gets the event' })
      assert.ok((await person.listEvents({ company, query: { hook } })).length > 0)
    })
  }

  test('answer at their host for their service only, and at the public host for pages and the sign-in', async () => {
    const statusAt = async (host: string, path: string): Promise<number> =>
      (await ask(proxy, { host, path })).status
    for (const service of services) {
      assert.equal(await statusAt(hostOf(service), '/api/ready'), 200, service)
      assert.equal(await statusAt(hostOf(service), '/api/users/me'), service === 'user-service' ? 401 : 404)
    }
    assert.equal(await statusAt(proxyHost, '/verify'), 200)
    assert.equal(await statusAt(proxyHost, '/ledger/test/checkpoint'), 200)
    const begun = await ask(proxy, { path: '/auth/login' })
    assert.equal(begun.status, 303, begun.text)
    const issuer = new URL(String(begun.headers['location']))
    assert.equal(issuer.host, proxyHost)
    assert.ok((await statusAt(proxyHost, `${issuer.pathname}${issuer.search}`)) < 400)
  })
})
