import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventRecord, Readiness } from '@millseal/contract'
import { Client } from 'pg'
import { eventually } from '../../test/eventually.ts'
import { type HoldingMailServer, startHoldingMailServer } from '../../test/holding-mail-server.ts'
import { password } from '../../test/people.ts'
import { answer, startReceiver } from '../../test/receiver.ts'
import { type ServerProcess, startServer } from '../../test/server-process.ts'
import type { TestServer } from '../../test/test-server.ts'
import {
  type Eventful,
  eventsOnce,
  newEventfulOwner,
  newHook,
  startWebhookServer,
} from '../../test/webhooks.ts'

const poolSize = 4
/** A stop is a duration by its nature. This is longer than every deadline of what is on its way; a longer one changes nothing. */
const stopMs = 16_000
/** A machine on which the server runs for longer until all have begun to wait is too slow: prepare it again. */
const preparedWithinMs = 8_000
const warning = 40

describe('a server that is stopped while answers are on their way', () => {
  test('has them when it continues: nothing is retried, degraded or reported', async () => {
    await using mails = await startHoldingMailServer()
    await using receiver = await startReceiver()
    await using helper = await startWebhookServer({ environment: { MILLSEAL_ROLES: 'api' } })
    await using server = await startProcess(helper, mails)
    const people: TestServer = { ...helper, mailsTo: (address, count) => mails.mailsTo(address, count) }
    const owner = await newEventfulOwner(people, 'patient')
    const hook = await newHook(people, owner, { connectionUrl: receiver.url })
    await using lock = await openLock(helper)
    await eventually(async () => (await readinessOf(server)).every(isUp))

    /** Resolves when a webhook, a mail, a check of the mail server and queries wait for what `answerAll` gives. */
    const holdAll = async (name: string): Promise<Held> => {
      const watch = stopwatch(server)
      const webhook = Promise.withResolvers<ServerResponse>()
      receiver.react(({ request, response }) =>
        request.body.includes(`"${name}"`) ? webhook.resolve(response) : void response.end(),
      )
      const mail = mails.holdNext('mail')
      watch.stop()
      await Promise.all([owner.produce(name), register(people, name)])
      watch.run()
      const [response, acceptMail] = await Promise.all([webhook.promise, mail])
      const greeting = mails.holdNext('greeting')
      let greet: (() => void) | undefined
      void greeting.then((answerGreeting) => (greet = answerGreeting))
      // A readiness that is asked for again soon is that of the last check.
      await eventually(async () => (await readinessOf(server)).length > 0 && greet !== undefined)
      await lock.take()
      watch.stop()
      // One more than connections: it waits for one of the others.
      const reading = Array.from({ length: poolSize + 1 }, () => readApplications(server, owner))
      watch.run()
      await eventually(async () => (await lock.countWaiting()) >= poolSize, { what: 'queries that wait' })
      watch.stop()
      const answerAll = async (): Promise<void> => {
        receiver.react(answer(200))
        response.end()
        acceptMail()
        greet?.()
        await lock.release()
      }
      return { name, answerAll, reading, ranMs: watch.ranMs() }
    }
    const holdAllSoon = async (attempt = 1): Promise<Held> => {
      const held = await holdAll(`first-${attempt}`)
      if (held.ranMs < preparedWithinMs) return held
      await held.answerAll()
      server.child.kill('SIGCONT')
      await Promise.all(held.reading)
      return await holdAllSoon(attempt + 1)
    }

    const { name, answerAll, reading } = await holdAllSoon()
    const logged = server.log.length
    await answerAll()
    const checking = readinessOf(server)
    await delay(stopMs)
    server.child.kill('SIGCONT')

    const statuses = await Promise.all(reading)
    const reported = () => server.log.slice(logged).filter((line) => levelOf(line) >= warning)
    assert.deepEqual(reported(), [])
    assert.deepEqual(statuses, Array(poolSize + 1).fill(200))
    for (const dependencies of [await checking, await readinessOf(server)])
      assert.deepEqual(
        dependencies.filter((dependency) => !isUp(dependency)),
        [],
      )
    await Promise.all([owner.produce('second'), register(people, 'second')])
    const events = await eventsOnce(people, owner, hook.id, (found) =>
      [name, 'second'].every((one) => found.some((event) => isDelivered(event) && isAbout(event, one))),
    )
    for (const one of [name, 'second']) {
      const { id = '' } = events.find((event) => isAbout(event, one)) ?? {}
      assert.equal(await countAttempts(people, owner, id), 1)
      assert.equal(receiver.received.filter(({ body }) => body.includes(`"${one}"`)).length, 1)
      assert.equal((await mails.mailsTo(`${one}@example.com`, 1)).length, 1, `mails to ${one}`)
    }
    assert.deepEqual(reported(), [])
  })
})

type Held = {
  readonly name: string
  /** Gives all answers; the server need not read them. */
  readonly answerAll: () => Promise<void>
  readonly reading: readonly Promise<number | string>[]
  readonly ranMs: number
}

/** Stops the server while the test prepares something, so that only the time counts in which the server works. */
const stopwatch = ({ child }: ServerProcess) => {
  let since = performance.now()
  let ranMs = 0
  return {
    stop() {
      child.kill('SIGSTOP')
      ranMs += performance.now() - since
    },
    run() {
      since = performance.now()
      child.kill('SIGCONT')
    },
    ranMs: () => ranMs,
  }
}

const startProcess = ({ config, url }: TestServer, mails: HoldingMailServer): Promise<ServerProcess> =>
  startServer({
    DATABASE_URL: config.databaseUrl ?? '',
    MILLSEAL_DATABASE_CONNECTIONS: String(poolSize),
    MILLSEAL_DATA_DIR: config.dataDir,
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
    MILLSEAL_VIES: 'off',
    MILLSEAL_PUBLIC_URL: url,
    MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8',
    SMTP_URL: mails.url,
  })

type Dependency = Readiness['dependencies'][number]

/** Of a server that is not ready: the reasons. */
const readinessOf = async ({ url }: ServerProcess): Promise<readonly Dependency[]> => {
  const response = await fetch(`${url}/api/ready`)
  const body = (await response.json()) as Partial<Readiness> & { readonly details?: readonly string[] }
  return body.dependencies ?? [{ name: 'readiness', status: 'down', error: body.details?.join() }]
}

const isUp = ({ status }: Dependency): boolean => status === 'up'

const isDelivered = ({ delivered }: EventRecord): boolean => delivered

const isAbout = ({ payload }: EventRecord, name: string): boolean => payload['name'] === name

const register = (server: TestServer, username: string) =>
  server.client().registerUser({ body: { username, email: `${username}@example.com`, password } })

const readApplications = async (
  { url }: ServerProcess,
  { admin, company }: Eventful,
): Promise<number | string> => {
  const headers = { authorization: `Bearer ${admin.accessToken}`, company: company.id }
  return await fetch(`${url}/api/applications`, { headers }).then(({ status }) => status, String)
}

/** While it is taken, nobody can read applications: a query of the server waits for its answer. */
const openLock = async ({ config }: TestServer) => {
  const holder = new Client({ connectionString: config.databaseUrl })
  const watcher = new Client({ connectionString: config.databaseUrl })
  await Promise.all([holder.connect(), watcher.connect()])
  return {
    take: () => holder.query('begin; lock table applications in access exclusive mode'),
    async countWaiting(): Promise<number> {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await watcher.query(waiting)).rowCount ?? 0
    },
    release: () => holder.query('rollback'),
    async [Symbol.asyncDispose]() {
      await Promise.all([holder.end(), watcher.end()])
    },
  }
}

const countAttempts = async (
  server: TestServer,
  { admin, company }: Eventful,
  id: string,
): Promise<number | undefined> => {
  const event = await server.client(admin.accessToken).readEvent({ params: { id }, company: company.id })
  return event.attempts?.length
}

const levelOf = (line: string): number => (JSON.parse(line) as { readonly level?: number }).level ?? 0
