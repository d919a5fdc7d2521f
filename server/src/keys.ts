import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config.ts'

type Environment = Readonly<Record<string, string | undefined>>

const help = `Usage: millseal keys rotate-signing [--json]

Makes a new key to sign access tokens with. A running server shows it at /.well-known/jwks.json within 5 seconds and
signs with it a minute later, when every process and every cache of the key set has it. Nobody is signed out: old keys
are kept until the last token they signed is over. Happens by itself every 90 days.

Works in the data folder (MILLSEAL_DATA_DIR) whether or not a server runs there, or in the database of DATABASE_URL,
with the master key of the server. millseal serve --help lists all settings.

  --json  prints the id of the new key and of those deleted as JSON
`

/** Resolves with the exit code: 0 done, 1 failed, 2 called wrongly or a setting cannot be used. */
export const keys = async (args: readonly string[], environment: Environment): Promise<number> => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help)
    return 0
  }
  const { verb, json, wrong } = read(args)
  if (wrong !== undefined || verb !== 'rotate-signing') {
    return refuse(wrong ?? (verb === undefined ? 'keys needs a verb' : `there is no verb ${verb}`))
  }
  try {
    const config = readConfig(environment)
    // Imported only now: help and a wrong call need not wait for the whole product to load.
    const { rotateSigningKeyIn } = await import('./compose.ts')
    const { created, retired } = await rotateSigningKeyIn(config)
    process.stdout.write(
      json
        ? `${JSON.stringify({ created, retired })}\n`
        : `The new signing key is ${created}.\n${retired.length} old keys were deleted.\n`,
    )
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`millseal: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`)
    return error instanceof ConfigError ? 2 : 1
  }
}

const read = (args: readonly string[]): { verb?: string; json: boolean; wrong?: string } => {
  try {
    const options = { json: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [verb, surplus] = positionals
    return {
      json: values.json ?? false,
      ...(verb === undefined ? {} : { verb }),
      ...(surplus === undefined ? {} : { wrong: `unknown argument ${surplus}` }),
    }
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { json: false, wrong: line.split('. To specify')[0] ?? line }
  }
}

const refuse = (message: string): number => {
  process.stderr.write(`millseal: ${message}; try millseal keys --help\n`)
  return 2
}
