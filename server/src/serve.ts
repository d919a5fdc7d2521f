import { type Config, ConfigError, readConfig, settingsHelp, unknownSettings } from './config.ts'
import type { Server } from './compose.ts'

type Environment = Readonly<Record<string, string | undefined>>

const help = () => `Usage: script/server [--help]

Starts the whole product on this machine. Everything is set by environment variables (defaults in parentheses):

${settingsHelp()}

Example: MILLSEAL_PORT=9000 MILLSEAL_DATA_DIR=/srv/millseal script/server
`

/** Runs until a signal; resolves with the exit code: 0 stopped, 1 failed, 2 a setting cannot be used. */
export const serve = async (args: readonly string[], environment: Environment): Promise<number> => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help())
    return 0
  }
  const [unknown] = args
  if (unknown !== undefined) return refuse(`unknown argument ${unknown}; try --help`)
  try {
    const config = readConfig(environment)
    for (const name of unknownSettings(environment)) say(`warning: there is no setting ${name}; see --help`)
    if (config.databaseUrl !== undefined && config.publicUrl === undefined) {
      say('warning: MILLSEAL_PUBLIC_URL is not set: processes that share a database need the same one')
    }
    return await run(config)
  } catch (error) {
    if (error instanceof ConfigError) return refuse(error.message)
    say(`millseal: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  }
}

const run = async (config: Config): Promise<number> => {
  const startedMs = performance.now()
  const stopped = Promise.withResolvers<string>()
  stopped.promise.catch(() => {})
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopped.resolve(signal))
  // Imported only now: help and a wrong setting need not wait for the whole product to load.
  const { compose } = await import('./compose.ts')
  const server = await compose(config, { onFatal: stopped.reject })
  try {
    await startOrTellOperator(server)
    greet(server, config, performance.now() - startedMs)
    server.log.info({ signal: await stopped.promise }, 'stopping')
  } finally {
    await server.stop()
  }
  return 0
}

/** The operator stays where a start fails later on, for instance at a port in use: the password is shown all the same. */
const startOrTellOperator = async (server: Server): Promise<void> => {
  try {
    await server.start()
  } catch (error) {
    if (server.firstOperator !== undefined) say(welcome(server.firstOperator).join('\n'))
    throw error
  }
}

const greet = (server: Server, config: Config, ms: number): void => {
  if (!config.roles.includes('api')) {
    say(`millseal works in the background (${config.roles.join(', ')}), ready after ${Math.round(ms)} ms`)
    return
  }
  const url = server.publicUrl()
  say(
    [
      `millseal is ready after ${Math.round(ms)} ms`,
      `  API            ${url}/api`,
      `  API reference  ${url}/docs`,
      `  Readiness      ${url}/api/ready`,
      `  MQTT           ${server.mqttUrl()}`,
      ...(config.smtpUrl === undefined
        ? [`  Mails          ${config.dataDir}/mails (no SMTP_URL is set)`]
        : []),
      ...(server.firstOperator === undefined ? [] : welcome(server.firstOperator)),
      '  Stop with Ctrl-C',
    ].join('\n'),
  )
}

const welcome = ({ username, password }: NonNullable<Server['firstOperator']>): string[] => [
  `  Operator       ${username}, password ${password?.reveal()} (shown this once)`,
]

const refuse = (message: string): number => {
  say(`millseal: ${message}`)
  return 2
}

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
