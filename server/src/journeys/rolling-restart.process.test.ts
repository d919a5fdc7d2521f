import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sampleCertificate } from '../../test/certificates.ts'
import { openTestDatabase } from '../../test/database.ts'
import { eventually } from '../../test/eventually.ts'
import { everyScope, newApplication, newOwner, tokenOf } from '../../test/machines.ts'
import { type Restartable, restartable } from '../../test/restartable.ts'
import { ask, proxies, type ReverseProxy, startProxy } from '../../test/reverse-proxies.ts'
import { freePort } from '../../test/server-process.ts'
import { newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf, startOwnServer } from '../../test/test-server.ts'

type Mill = { readonly headers: Readonly<Record<string, string>>; readonly identity: string }

type Installed = AsyncDisposable & {
  readonly servers: readonly [Restartable, Restartable]
  readonly mill: Mill
}

const metricsToken = 'of-the-rolling-restart'
/** Three clients without a pause would only keep the processors busy: most of the time, the servers wait for their end. */
const pauseMs = 100

const startServers = async (): Promise<Installed> => {
  await using opened = new AsyncDisposableStack()
  const { path } = opened.use(await makeTemporaryFolder())
  const database = opened.use(await openTestDatabase())
  const ports = [await freePort(), await freePort()] as const
  const environment = {
    DATABASE_URL: addressOf(database),
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
    // The test creates the accounts there.
    MILLSEAL_PUBLIC_URL: `http://localhost:${ports[0]}`,
    MILLSEAL_TRUST_PROXY: '127.0.0.1',
    // As docs/deploy.md says.
    MILLSEAL_DRAIN_MS: '5000',
    MILLSEAL_METRICS_TOKEN: metricsToken,
    MILLSEAL_VIES: 'off',
    MILLSEAL_UNVERIFIED_CERTIFICATES_PER_DAY: '0',
  }
  const mill = await foundMill({ ...environment, MILLSEAL_PORT: String(ports[0]) })
  const newServer = async (name: string, port: number): Promise<Restartable> => {
    const own = {
      MILLSEAL_DATA_DIR: join(path, name),
      MILLSEAL_KNOWN_CHECKPOINTS: join(path, `${name}.known`),
    }
    const server = restartable({ ...environment, ...own }, port)
    opened.defer(() => server.kill())
    await server.start()
    return server
  }
  const servers = [await newServer('one', ports[0]), await newServer('other', ports[1])] as const
  const owned = opened.move()
  return { servers, mill, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const foundMill = async (environment: Readonly<Record<string, string>>): Promise<Mill> => {
  const { DATABASE_URL: databaseUrl = '', ...others } = environment
  await using server = await startOwnServer({
    databaseUrl,
    environment: { ...others, MILLSEAL_DRAIN_MS: '0' },
  })
  const owner = await newOwner(server, 'restarted-mill')
  const token = await tokenOf(server, await newApplication(server, owner, { scopes: everyScope }))
  const { id } = await newIdentity(server.client(token), owner.company.id)
  return { headers: { authorization: `Bearer ${token}`, company: owner.company.id }, identity: id }
}

/** Notarizes, verifies and lists through the proxy until it is disposed. */
const startLoad = (proxy: ReverseProxy, mill: Mill) => {
  const over = new AbortController()
  const failures: string[] = []
  const accepted: string[] = []
  let [answers, written] = [0, 0]
  const send = async (method: string, path: string, body?: string): Promise<string | undefined> => {
    try {
      const asked = {
        path: `/api${path}`,
        method,
        headers: mill.headers,
        ...(body === undefined ? {} : { body }),
      }
      const { status, text } = await ask(proxy, asked)
      answers += 1
      if (status < 300) return text
      failures.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
    } catch (error) {
      failures.push(`${method} ${path}: ${String(error)}`)
    }
    return undefined
  }
  const notarize = async (): Promise<void> => {
    written += 1
    const body = JSON.stringify(sampleCertificate({ number: `ROLL-${written}` }))
    const text = await send('POST', `/certificates/notarize?mode=test&identity=${mill.identity}`, body)
    if (text !== undefined) accepted.push((JSON.parse(text) as { jobId: string }).jobId)
  }
  const verify = () => send('POST', '/certificates/verify?mode=test', JSON.stringify(sampleCertificate()))
  const list = () => send('GET', '/certificates?limit=20&mode=test')
  const running = Promise.all(
    [notarize, verify, list].map(async (work) => {
      while (!over.signal.aborted && failures.length === 0) {
        await work()
        await pause(pauseMs)
      }
    }),
  )
  return {
    failures,
    accepted,
    /** Many more answers than requests that wait. */
    goesOn: () => {
      const wanted = answers + 30
      return eventually(
        () => {
          assert.deepEqual(failures, [])
          return answers >= wanted
        },
        { what: () => `${answers} of ${wanted} answers` },
      )
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await running
    },
  }
}

/** How many of the requests of the load this process has answered since it started. */
const answeredBy = async ({ url }: Restartable): Promise<number> => {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  const counts = (await answer.text()).matchAll(
    /^millseal_http_request_seconds_count\{route="certificates\..*\} (\d+)$/gm,
  )
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

const isUsedAgain = (server: Restartable): Promise<boolean> =>
  eventually(async () => (await answeredBy(server)) > 0, {
    what: `${server.url} gets requests again`,
    everyMs: 200,
  })

const missing = await Promise.all(proxies.map((kind) => kind.lacks()))

for (const [at, kind] of proxies.entries()) {
  describe(`two servers behind ${kind.name}`, { skip: missing[at] ?? false }, () => {
    test('are replaced one after the other under load without a failed request, and nothing is lost', async (t) => {
      await using installed = await startServers()
      const { mill, servers } = installed
      const [one, other] = servers
      await using proxy = await startProxy(kind, [one.url, other.url])
      const load = startLoad(proxy, mill)
      {
        await using _load = load
        await load.goesOn()
        for (const server of [one, other, one, other]) {
          await proxy.withdraw(server.url)
          await server.stop()
          await load.goesOn()
          await server.start()
          await proxy.withdraw(undefined)
          await isUsedAgain(server)
          await load.goesOn()
        }
      }
      t.diagnostic(`${load.accepted.length} accepted`)
      assert.deepEqual(load.failures, [])
      const notarized = async (id: string): Promise<boolean> => {
        const { text } = await ask(proxy, { path: `/api/certificates/${id}`, headers: mill.headers })
        return (JSON.parse(text) as { state: string }).state === 'notarized'
      }
      for (const id of load.accepted) await eventually(() => notarized(id), { what: `${id} is notarized` })
    })
  })
}
