import cluster from 'node:cluster'
import { leaveAddress } from './address-file.ts'
import { processesOf } from './config/process-settings.ts'
import { assertUsable } from './config/usable-settings.ts'
import { webhookTargets } from './config/webhook-targets.ts'
import { type Config, ConfigError, readConfig, settingsHelp, unknownSettings } from './config.ts'
import type { SharedProcess } from './compose/processes/shared-process.ts'
import type { Server } from './compose.ts'

const endDuringStartMs = 10_000

type MadeOperator = Awaited<ReturnType<Server['start']>>

const help = (program: string) => `Usage: ${program} [--help]

Starts Millseal on this machine. Configure it with these environment variables (defaults in parentheses):

${settingsHelp()}

Example: MILLSEAL_PORT=9000 MILLSEAL_DATA_DIR=/srv/millseal ${program}
`

/** Runs until a signal and resolves with the exit code: 0 stopped, 1 failed, 2 invalid argument or setting. */
export const serve = async (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  program = 'script/server',
): Promise<number> => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help(program))
    return 0
  }
  const [unknown] = args
  if (unknown !== undefined) return rejectUsage(`unknown argument ${unknown}; see --help`)
  try {
    const config = readConfig(environment)
    if (cluster.isWorker) return await run(config)
    await assertUsable(config)
    for (const warning of unknownSettings(environment))
      print(`warning: unknown setting ${warning}; see --help`)
    const { warning } = webhookTargets(config)
    if (warning !== undefined && config.roles.includes('worker')) print(`warning: ${warning}`)
    if (config.databaseUrl !== undefined && config.publicUrl === undefined) {
      print('warning: MILLSEAL_PUBLIC_URL is not set; all processes that share a database need the same one')
    }
    if (config.databaseUrl !== undefined) await waitForDatabase(config.databaseUrl)
    return await run(config)
  } catch (error) {
    if (error instanceof ConfigError) return rejectUsage(error.message)
    print(`millseal: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
}

/** Before the whole product is loaded, so that an address that cannot be used ends the start at once. */
const waitForDatabase = async (url: string): Promise<void> => {
  const { reachDatabase } = await import('./compose/reach-database.ts')
  await reachDatabase(url, (line) => print(`millseal: ${line}`))
}

/** One process does everything, or a primary process runs several that share the database and the port. */
const run = (config: Config): Promise<number> => {
  if (cluster.isWorker) return runShared(config)
  const count = processesOf(config)
  return count === 1 ? runServer(config) : runPrimary(config, count)
}

const untilStopped = () => {
  const stopped = Promise.withResolvers<string>()
  stopped.promise.catch(() => {})
  const state = { isReady: false }
  const stop = (signal: string): void => {
    stopped.resolve(signal)
    if (!state.isReady) endSoon()
  }
  process.once('SIGTERM', stop)
  // Ctrl-C reaches all processes of a terminal: the primary process then stops the others.
  if (cluster.isWorker) process.on('SIGINT', () => {})
  else process.once('SIGINT', stop)
  return { stopped, state }
}

const runServer = async (config: Config, shared?: SharedProcess): Promise<number> => {
  const { stopped, state } = untilStopped()
  // A late import, so that the help and an invalid setting do not load the whole product.
  const { compose } = await import('./compose.ts')
  const server = await compose(config, { onFatal: stopped.reject, shared })
  try {
    const operator = await server.start()
    state.isReady = true
    const address = shared?.isFirst === false ? undefined : server.address()
    await using _left = address === undefined ? undefined : await leaveAddress(config.dataDir, address)
    if (shared?.isFirst !== false)
      printGreeting(server, { config, operator, ms: (shared?.elapsedMs ?? 0) + performance.now() })
    shared?.announceReady()
    server.log.info({ signal: await stopped.promise }, 'stopping')
  } finally {
    await server.stop()
  }
  return 0
}

const runShared = async (config: Config): Promise<number> => {
  const { joinProcesses } = await import('./compose/processes/shared-process.ts')
  const shared = await joinProcesses(config)
  try {
    return await runServer(shared.config, shared)
  } finally {
    // Otherwise the connection to the primary process keeps this one alive.
    process.disconnect()
  }
}

const runPrimary = async (config: Config, count: number): Promise<number> => {
  const { stopped, state } = untilStopped()
  const { openPrimary } = await import('./compose/processes/primary.ts')
  const primary = await openPrimary(config, { count, onFatal: stopped.reject })
  try {
    const code = await primary.start()
    if (code !== 0) return code
    state.isReady = true
    primary.log.info({ signal: await stopped.promise }, 'stopping')
  } finally {
    await primary.stop()
  }
  return 0
}

/** A start that waits for something, such as a slow disk, must not keep the process from ending. */
const endSoon = (): void => {
  setTimeout(() => {
    print('millseal: stopped before it was ready')
    process.exit(1)
  }, endDuringStartMs).unref()
}

const printGreeting = (
  server: Server,
  { config, operator, ms }: { readonly config: Config; readonly operator: MadeOperator; readonly ms: number },
): void => {
  if (!config.roles.includes('api')) {
    print(
      [
        `millseal is ready after ${Math.round(ms)} ms, without the API (${config.roles.join(', ')})`,
        `  Readiness      ${server.address()}/api/ready`,
      ].join('\n'),
    )
    return
  }
  const url = server.publicUrl()
  print(
    [
      `millseal is ready after ${Math.round(ms)} ms`,
      `  Open           ${url}/`,
      `  API            ${url}/api`,
      `  API reference  ${url}/docs/api`,
      `  Readiness      ${url}/api/ready`,
      `  MQTT           ${server.mqttUrl()}`,
      ...(config.smtpUrl === undefined
        ? [`  E-mails        ${config.dataDir}/mails (SMTP_URL is not set)`]
        : []),
      ...operatorLines(operator),
      '  Press Ctrl-C to stop',
    ].join('\n'),
  )
}

const operatorLines = (operator: MadeOperator): string[] =>
  operator === undefined
    ? []
    : [`  Operator       ${operator.username}, password ${operator.password?.reveal()} (shown only once)`]

const rejectUsage = (message: string): number => {
  print(`millseal: ${message}`)
  return 2
}

const print = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
