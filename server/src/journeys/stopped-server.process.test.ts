import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventRecord, Readiness } from '@millseal/contract'
import { Client } from 'pg'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually } from '../../test/eventually.ts'
import { type HoldingMailServer, startHoldingMailServer } from '../../test/holding-mail-server.ts'
import { password } from '../../test/people.ts'
import { answer, startReceiver } from '../../test/receiver.ts'
import { type ServerProcess, startServer } from '../../test/server-process.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'
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
/** If the server runs for longer until all have begun to wait, deadlines of it may be over: prepare it again. */
const preparedWithinMs = 8_000
/** The same for queries, of which the last waits 5 s for a connection. PostgreSQL ends those of a stopped server too, after 10 s. */
const lockedWithinMs = 4_000
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
    const mill = await newMill(people, owner)
    // The first one starts the renderer.
    await mill.ended(await mill.notarize())
    await using database = await openDatabase(helper)
    await eventually(async () => (await readinessOf(server)).every(isUp))

    /** Stops the server while a webhook, a mail, a notarization, a check of the mail server and queries wait, and answers them. */
    const answerDuringStop = async (name: string): Promise<Answered> => {
      const watch = stopwatch(server)
      const webhook = Promise.withResolvers<ServerResponse>()
      receiver.react(({ request, response }) =>
        request.body.includes(`"${name}"`) ? webhook.resolve(response) : void response.end(),
      )
      const mail = mails.holdNext('mail')
      await database.take('ledger_entries')
      watch.stop()
      const [jobId] = await Promise.all([mill.notarize(), owner.produce(name), register(people, name)])
      watch.run()
      const [response, acceptMail] = await Promise.all([webhook.promise, mail])
      await eventually(async () => (await database.countWaiting('ledger_entries')) > 0)
      const greeting = mails.holdNext('greeting')
      let greet: (() => void) | undefined
      void greeting.then((answerGreeting) => (greet = answerGreeting))
      // A readiness that is asked for again soon is that of the last check.
      await eventually(async () => (await readinessOf(server)).length > 0 && greet !== undefined)
      await database.take('applications')
      watch.stop()
      const lockedAt = performance.now()
      // One more than connections: it waits for one of the others.
      const reading = Array.from({ length: poolSize + 1 }, () => readApplications(server, owner))
      watch.run()
      await eventually(async () => (await database.countWaiting('applications')) >= poolSize)
      watch.stop()
      const logged = server.log.length
      await database.release()
      const isSoon = watch.ranMs() < preparedWithinMs && performance.now() - lockedAt < lockedWithinMs
      receiver.react(answer(200))
      response.end()
      acceptMail()
      greet?.()
      return { name, jobId, reading, logged, isSoon }
    }
    const answerSoon = async (attempt = 1): Promise<Answered> => {
      const answered = await answerDuringStop(`first-${attempt}`)
      if (answered.isSoon) return answered
      server.child.kill('SIGCONT')
      await Promise.all([...answered.reading, mill.ended(answered.jobId)])
      return await answerSoon(attempt + 1)
    }

    const { name, jobId, reading, logged } = await answerSoon()
    const checking = readinessOf(server)
    await delay(stopMs)
    server.child.kill('SIGCONT')

    // Together: the end of a test that fails would break what it has not awaited.
    const [checked, ...statuses] = await Promise.all([checking, ...reading])
    const { state } = await mill.ended(jobId)
    const reported = () => server.log.slice(logged).filter((line) => levelOf(line) >= warning)
    assert.deepEqual(reported(), [])
    assert.deepEqual(statuses, Array(poolSize + 1).fill(200))
    for (const dependencies of [checked, await readinessOf(server)])
      assert.deepEqual(
        dependencies.filter((dependency) => !isUp(dependency)),
        [],
      )
    assert.equal(state, 'notarized')
    assert.equal(await database.attemptsToNotarize(jobId), 1)
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

type Answered = {
  readonly name: string
  readonly jobId: string
  readonly reading: readonly Promise<number | string>[]
  /** How many lines the log had when the server was stopped. */
  readonly logged: number
  /** No deadline was over when the answer was given. */
  readonly isSoon: boolean
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
    MILLSEAL_KNOWN_CHECKPOINTS: config.knownCheckpoints ?? '',
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

/** Notarizes certificates of the company. */
const newMill = async (server: TestServer, { admin, company }: Eventful) => {
  const client = server.client(admin.accessToken)
  const { id: identity } = await newIdentity(client, company.id)
  return {
    async notarize(): Promise<string> {
      const document = new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' })
      const query = { mode: 'test', identity } as const
      const { jobId = '' } = await client.notarizeCertificate({ company: company.id, query, document })
      return jobId
    },
    ended: (jobId: string) => endedNotarization(client, { company: company.id, jobId }),
  }
}

const attemptsOf = 'select attempts from certificates where id = $1'

type Table = 'applications' | 'ledger_entries'

/** What is locked cannot be read (applications) or recorded (entries of the log): the server waits for an answer. */
const openDatabase = async ({ config }: TestServer) => {
  const holder = new Client({ connectionString: config.databaseUrl })
  const watcher = new Client({ connectionString: config.databaseUrl })
  await Promise.all([holder.connect(), watcher.connect()])
  const modes = { applications: 'access exclusive', ledger_entries: 'exclusive' }
  return {
    async take(table: Table): Promise<void> {
      if (table === 'ledger_entries') await holder.query('begin')
      await holder.query(`lock table ${table} in ${modes[table]} mode`)
    },
    async countWaiting(table: Table): Promise<number> {
      const waiting = 'select from pg_locks where relation = $1::regclass and not granted'
      return (await watcher.query(waiting, [table])).rowCount ?? 0
    },
    release: () => holder.query('rollback'),
    async attemptsToNotarize(id: string): Promise<number | undefined> {
      const found = await watcher.query<{ readonly attempts: number }>(attemptsOf, [id])
      return found.rows[0]?.attempts
    },
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
