import { assertUsable } from './config/usable-settings.ts'
import { type Config, ConfigError, readConfig, settingsHelp, unknownSettings } from './config.ts'
import type { Server } from './compose.ts'

const endDuringStartMs = 10_000

type Environment = Readonly<Record<string, string | undefined>>
type MadeOperator = Awaited<ReturnType<Server['start']>>

const help = () => `Usage: script/server [--help]

Starts Millseal on this machine. Configure it with these environment variables (defaults in parentheses):

${settingsHelp()}

Example: MILLSEAL_PORT=9000 MILLSEAL_DATA_DIR=/srv/millseal script/server
`

/** Runs until a signal and resolves with the exit code: 0 stopped, 1 failed, 2 invalid argument or setting. */
export const serve = async (args: readonly string[], environment: Environment): Promise<number> => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help())
    return 0
  }
  const [unknown] = args
  if (unknown !== undefined) return rejectUsage(`unknown argument ${unknown}; see --help`)
  try {
    const config = readConfig(environment)
    await assertUsable(config)
    for (const warning of unknownSettings(environment))
      print(`warning: unknown setting ${warning}; see --help`)
    if (config.databaseUrl !== undefined && config.publicUrl === undefined) {
      print('warning: MILLSEAL_PUBLIC_URL is not set; all processes that share a database need the same one')
    }
    return await run(config)
  } catch (error) {
    if (error instanceof ConfigError) return rejectUsage(error.message)
    print(`millseal: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
}

const run = async (config: Config): Promise<number> => {
  const startedMs = performance.now()
  const stopped = Promise.withResolvers<string>()
  stopped.promise.catch(() => {})
  let isReady = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stopped.resolve(signal)
      if (!isReady) endSoon()
    })
  }
  // A late import, so that the help and an invalid setting do not load the whole product.
  const { compose } = await import('./compose.ts')
  const server = await compose(config, { onFatal: stopped.reject })
  try {
    const operator = await server.start()
    isReady = true
    printGreeting(server, { config, operator, ms: performance.now() - startedMs })
    server.log.info({ signal: await stopped.promise }, 'stopping')
  } finally {
    await server.stop()
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

type Greeting = {
  readonly config: Config
  readonly operator: MadeOperator
  readonly ms: number
}

const printGreeting = (server: Server, { config, operator, ms }: Greeting): void => {
  if (!config.roles.includes('api')) {
    print(`millseal is ready after ${Math.round(ms)} ms, without the API (${config.roles.join(', ')})`)
    return
  }
  const url = server.publicUrl()
  print(
    [
      `millseal is ready after ${Math.round(ms)} ms`,
      `  Open           ${url}/`,
      `  API            ${url}/api`,
      `  API reference  ${url}/docs`,
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
