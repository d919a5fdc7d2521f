import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lacksPackage } from './debian-package.ts'
import { eventually } from './eventually.ts'
import { freePort } from './server-process.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { isOpen } from './open-port.ts'

export interface TestRabbitMq extends AsyncDisposable {
  readonly amqpUrl: string
  readonly mqttUrl: string
  readonly wsUrl: string
  /** Of the process group with all its processes. */
  readonly processGroup: () => number
  /** Resolves when all subscriptions are on disk: RabbitMQ confirms them before. */
  storeSubscriptions(): Promise<void>
  /** kill -9, and a start with what is on its disk. */
  restart(): Promise<void>
}

type Wanted = { readonly vhost: string; readonly askUrl: string; readonly secret: string }

/** The path in Debian; not the wrapper in /usr/sbin, which expects to run as a service. */
const binaries = '/usr/lib/rabbitmq/bin'
export const lacksRabbitMq = (): Promise<string | false> =>
  lacksPackage({ name: 'rabbitmq-server', file: join(binaries, 'rabbitmq-server') })

/**
 * Runs a program in a process group of its own, and kills the group when descriptor 3 closes: when this process ends, for
 * whatever reason.
 */
export const endWithParent = '(cat <&3 >/dev/null; kill -9 0) & exec "$@" 3<&-'
const publisher = { name: 'millseal', password: 'publisher-of-tests' }

/** A RabbitMQ for one test, on free ports, with the configuration file that operators use. */
export const startRabbitMq = async (wanted: Wanted): Promise<TestRabbitMq> => {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await makeTemporaryFolder())
  const ports = {
    amqp: await freePort(),
    mqtt: await freePort(),
    ws: await freePort(),
    distribution: await freePort(),
    epmd: await freePort(),
  }
  const environment = await prepare(folder.path, ports)
  const node: { child?: ChildProcess } = {}
  opened.defer(() => stopEpmd(environment))
  opened.defer(() => kill(node.child))
  const start = async (...open: readonly number[]): Promise<void> => {
    node.child = spawn('sh', ['-c', endWithParent, 'sh', join(binaries, 'rabbitmq-server')], {
      env: environment,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
    })
    for (const port of open) await waitFor(port, node.child)
  }
  // As a new package of Debian starts it.
  environment['RABBITMQ_NODE_PORT'] = String(ports.amqp)
  await start(ports.amqp)
  delete environment['RABBITMQ_NODE_PORT']
  const [before, after] = await readCommands(folder.path, wanted)
  await runCommands(before, environment)
  await usePorts(folder.path, ports, wanted)
  await kill(node.child)
  await start(ports.mqtt, ports.ws)
  await runCommands(after, environment)
  const stack = opened.move()
  return {
    amqpUrl: `amqp://${publisher.name}:${publisher.password}@127.0.0.1:${ports.amqp}/${wanted.vhost}`,
    mqttUrl: `mqtt://127.0.0.1:${ports.mqtt}`,
    wsUrl: `ws://127.0.0.1:${ports.ws}/ws/mqtt`,
    processGroup: () => node.child?.pid ?? 0,
    storeSubscriptions: () => runCommands("rabbitmqctl eval 'disk_log:sync(latest_log).'", environment),
    async restart() {
      await kill(node.child)
      await eventually(async () => !(await isOpen(ports.amqp)))
      await start(ports.mqtt, ports.ws)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const root = join(import.meta.dirname, '../..')
const restart = 'systemctl restart rabbitmq-server'

/** The commands of the page that operators follow: before and after the restart. */
const readCommands = async (
  folder: string,
  { vhost, secret }: Wanted,
): Promise<readonly [string, string]> => {
  const page = await readFile(join(root, 'deploy/rabbitmq/README.md'), 'utf8')
  const [, block = ''] = /```sh\n( *VHOST=.*?)```/s.exec(page) ?? []
  const values = `VHOST=${vhost} SECRET=${secret} PASSWORD=${publisher.password}\n`
  const commands = block
    .replace(/^ *VHOST=.*\n/, '')
    .replaceAll('/etc/rabbitmq/', `${folder}/`)
    .replaceAll('-o rabbitmq ', '')
  const [before, after, ...more] = commands.split(restart)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('The page has no commands with one restart')
  return [`${values}${before}`, `${values}${after}`]
}

const runCommands = async (commands: string, environment: NodeJS.ProcessEnv): Promise<void> => {
  await promisify(execFile)('sh', ['-euc', commands], {
    cwd: root,
    env: { ...environment, PATH: `${binaries}:${environment['PATH'] ?? ''}` },
  })
}

type Ports = Readonly<Record<'amqp' | 'mqtt' | 'ws' | 'distribution' | 'epmd', number>>

const usePorts = async (folder: string, ports: Ports, { askUrl }: Wanted): Promise<void> => {
  const file = join(folder, 'rabbitmq.conf')
  const written = await readFile(file, 'utf8')
  if (/^[^#]*</m.test(written)) throw new Error(`The commands of the page leave a value open: ${written}`)
  const configuration = written
    .replaceAll('127.0.0.1:8080', new URL(askUrl).host)
    .replace('127.0.0.1:5672', `127.0.0.1:${ports.amqp}`)
    .replace('127.0.0.1:1883', `127.0.0.1:${ports.mqtt}`)
    .replace('15675', String(ports.ws))
    .replaceAll(/^(mqtt\.listeners\.ssl|ssl_options).*$/gm, '')
  await writeFile(file, configuration)
}

const prepare = async (folder: string, ports: Ports): Promise<NodeJS.ProcessEnv> => {
  const files = {
    environment: join(folder, 'rabbitmq-env.conf'),
    home: join(folder, 'home'),
  }
  await mkdir(files.home)
  await writeFile(files.environment, '')
  await mkdir(join(folder, 'conf.d'))
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: files.home,
    RABBITMQ_NODENAME: `test${ports.amqp}@localhost`,
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(folder, 'generated'),
    RABBITMQ_SCHEMA_DIR: join(folder, 'schema'),
    // Without these, files in /etc/rabbitmq would apply.
    RABBITMQ_CONFIG_FILES: join(folder, 'conf.d'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'advanced.config'),
    RABBITMQ_CONF_ENV_FILE: files.environment,
    ERL_CRASH_DUMP: join(folder, 'erl_crash.dump'),
    RABBITMQ_DIST_PORT: String(ports.distribution),
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
  }
}

const waitFor = async (port: number, child: ChildProcess): Promise<void> => {
  await eventually(
    () => {
      if (child.exitCode !== null) throw new Error('RabbitMQ did not start')
      return isOpen(port)
    },
    { what: 'RabbitMQ starts', everyMs: 100 },
  )
}

/** Kills the whole group: the Erlang machine is a child of the script. */
const kill = async (child: ChildProcess | undefined): Promise<void> => {
  child?.stdio[3]?.destroy()
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await gone
}

/** It outlives its nodes, and cannot be stopped before it notices that they ended. */
const stopEpmd = async (environment: NodeJS.ProcessEnv): Promise<void> => {
  const [epmd] = globSync('/usr/lib/erlang/erts-*/bin/epmd')
  const port = environment['ERL_EPMD_PORT'] ?? ''
  if (epmd === undefined) return
  const until = performance.now() + 5_000
  while ((await isOpen(Number(port))) && performance.now() < until) {
    try {
      execFileSync(epmd, ['-port', port, '-kill'], { env: environment, stdio: 'ignore' })
    } catch {
      await delay(50)
    }
  }
}
