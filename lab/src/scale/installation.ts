import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createS3Files } from '../../../server/src/adapters/files/s3/s3.ts'
import type { Files } from '../../../server/src/ports/files/files.ts'
import { type MailReceiver, startMailReceiver } from '../../../server/test/mail-receiver.ts'
import { lacksRabbitMq, startRabbitMq, type TestRabbitMq } from '../../../server/test/rabbitmq.ts'
import { type Receiver, startReceiver } from '../../../server/test/receiver.ts'
import { type Restartable, restartable } from '../../../server/test/restartable.ts'
import { proxies, type ReverseProxy, startProxy } from '../../../server/test/reverse-proxies.ts'
import {
  type FaultyS3,
  lacksS3,
  startFaultyS3,
  startS3,
  type TestS3,
} from '../../../server/test/s3-server.ts'
import { type SeparatePostgres, startSeparatePostgres } from '../../../server/test/separate-postgres.ts'
import { freePort, serverSources } from '../../../server/test/server-process.ts'
import { openSilentNetwork, type SilentNetwork } from '../../../server/test/silent-network.ts'
import { makeTemporaryFolder } from '../../../server/test/temporary-folder.ts'
import type { Place } from '../faults/count.ts'

export type Process = Restartable & { readonly name: string }

/** Two processes for the API behind nginx, two workers, and what they need, each of which can fail. */
export type Installation = AsyncDisposable &
  Place & {
    readonly environment: Readonly<Record<string, string>>
    readonly processes: readonly Process[]
    readonly proxy: ReverseProxy
    readonly rabbit: TestRabbitMq
    readonly postgres: SeparatePostgres
    /** Between the processes and the database. */
    readonly network: SilentNetwork
    readonly s3: TestS3
    /** Between the processes and S3. */
    readonly store: FaultyS3
    readonly receiver: Receiver
    readonly mails: MailReceiver
    /** That all processes share. */
    readonly files: Files
    /** The metrics of a process. */
    readMetrics(process: Process): Promise<string>
  }

const nginx = proxies.find(({ name }) => name === 'nginx')
const [vhost, prefix] = ['mill', 'scale']
const names = ['api-1', 'api-2', 'worker-1', 'worker-2'] as const
export const numbers = /(LOAD-\d+)/

/** Why it cannot run on this machine, or false. */
export const lacksParts = async (): Promise<string | false> =>
  (await lacksRabbitMq()) || (await lacksS3()) || ((await nginx?.lacks()) ?? 'nginx is unknown')

export const openInstallation = async (): Promise<Installation> => {
  await using opened = new AsyncDisposableStack()
  const { path: folder } = opened.use(await makeTemporaryFolder())
  const ports = await Promise.all(names.map(freePort))
  const parts = await openParts({ opened, ports })
  const { s3, store, network, postgres, mails, rabbit, secret } = parts
  const metricsToken = randomBytes(32).toString('hex')
  const shared = {
    ...settings(ports[0] ?? 0),
    ...s3.settingsOf(prefix),
    DATABASE_URL: network.databaseUrl,
    MILLSEAL_FILES: 's3',
    MILLSEAL_S3_ENDPOINT: store.address,
    MILLSEAL_METRICS_TOKEN: metricsToken,
    AMQP_URL: rabbit.amqpUrl,
    MILLSEAL_VHOST: vhost,
    MILLSEAL_BROKER_AUTH_SECRET: secret,
    MILLSEAL_MQTT_URL: rabbit.mqttUrl,
    SMTP_URL: mails.url,
  }
  const processes = names.map((name, at): Process => {
    const environment = { ...shared, ...own(folder, name), MILLSEAL_ROLES: name.slice(0, name.indexOf('-')) }
    return { ...restartable(environment, ports[at] ?? 0, serverSources), name }
  })
  for (const process of processes) opened.defer(() => process.kill())
  const files = createS3Files(s3.placeOf(prefix))
  const owned = opened.move()
  return {
    ...parts,
    environment: { ...shared, ...own(folder, 'founding') },
    processes,
    url: `http://127.0.0.1:${ports[0]}`,
    readMails: async () => mails.received,
    files,
    openFiles: () => files,
    openDatabase: async () => ({
      connection: { connectionString: postgres.connectionString },
      async [Symbol.asyncDispose]() {},
    }),
    async readMetrics({ url }) {
      const headers = { authorization: `Bearer ${metricsToken}` }
      return (await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(2_000) })).text()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** What the processes need. */
const openParts = async ({
  opened,
  ports: [one = 0, other = 0],
}: {
  readonly opened: AsyncDisposableStack
  readonly ports: readonly number[]
}) => {
  if (nginx === undefined) throw new Error('nginx is unknown')
  const receiver = opened.use(await startReceiver())
  const mails = opened.use(await startMailReceiver(numbers))
  const postgres = opened.use(await startSeparatePostgres())
  const network = opened.use(await openNetwork(postgres))
  const s3 = opened.use(await startS3())
  const store = opened.use(await startFaultyS3(s3))
  const proxy = opened.use(await startProxy(nginx, [`http://127.0.0.1:${one}`, `http://127.0.0.1:${other}`]))
  const secret = randomBytes(32).toString('hex')
  const rabbit = opened.use(await startRabbitMq({ vhost, secret, askUrl: proxy.questionsUrl }))
  return { receiver, mails, postgres, network, s3, store, proxy, secret, rabbit }
}

const openNetwork = ({ connectionString }: SeparatePostgres): Promise<SilentNetwork> => {
  const { port, username, password, pathname } = new URL(connectionString)
  const user = `${username}:${password}`
  return openSilentNetwork({ host: '127.0.0.1', port: Number(port), user, database: pathname.slice(1) })
}

const own = (folder: string, name: string): Record<string, string> => ({
  MILLSEAL_DATA_DIR: join(folder, name),
  MILLSEAL_KNOWN_CHECKPOINTS: join(folder, `${name}.known`),
})

/** As docs/operating.md and docs/deploy.md say for several processes behind a proxy. */
const settings = (port: number): Record<string, string> => ({
  MILLSEAL_PORT: String(port),
  MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
  // The accounts are created there, without TLS.
  MILLSEAL_PUBLIC_URL: `http://localhost:${port}`,
  MILLSEAL_TRUST_PROXY: '127.0.0.1',
  MILLSEAL_DRAIN_MS: '5000',
  MILLSEAL_MQTT_PORT: 'off',
  MILLSEAL_MQTTS_PORT: 'off',
  MILLSEAL_VIES: 'off',
  MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8',
  // The company of the run is not reviewed, and has more certificates than one of a person on a day.
  MILLSEAL_UNVERIFIED_CERTIFICATES_PER_DAY: '0',
  MILLSEAL_MAILS_PER_DAY: '0',
  MILLSEAL_UNVERIFIED_DELIVERIES_PER_DAY: '0',
})
