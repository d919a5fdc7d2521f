import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig } from './config.ts'

type Environment = Readonly<Record<string, string | undefined>>

const help = `Usage: millseal keys rotate-signing [--json]
       millseal keys rotate-master [--token-key] [--json]

rotate-signing makes a new key to sign access tokens with. A running server shows it at /.well-known/jwks.json within 5
seconds and signs with it a minute later, when every process and every cache of the key set has it. Nobody is signed
out: old keys are kept until the last token they signed is over. Happens by itself every 90 days.

rotate-master lays everything that is sealed at rest under a new master key, while servers go on. With a key file it
makes the key itself; with MILLSEAL_MASTER_KEY set it to NEW,OLD at every server first. It can be stopped and run again.

Works in the data folder (MILLSEAL_DATA_DIR) whether or not a server runs there, or in the database of DATABASE_URL,
with the master key of the server. millseal serve --help lists all settings.

  --token-key  makes a new key in the PKCS#11 token too, and lays the roots of live wallets under it
  --json       prints what was done as JSON
`

const verbs = ['rotate-signing', 'rotate-master'] as const
type Verb = (typeof verbs)[number]
type Wanted = { readonly json: boolean; readonly tokenKey: boolean }

/** Resolves with the exit code: 0 done, 1 failed, 2 called wrongly or a setting cannot be used. */
export const keys = async (args: readonly string[], environment: Environment): Promise<number> => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help)
    return 0
  }
  const { verb, wanted, wrong } = read(args)
  if (verb === undefined) return refuse(wrong)
  try {
    const { result, said } = await perform(verb, wanted, readConfig(environment))
    process.stdout.write(wanted.json ? `${JSON.stringify(result)}\n` : said)
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`millseal: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`)
    return error instanceof ConfigError ? 2 : 1
  }
}

type Done = { readonly result: object; readonly said: string }

const perform = async (verb: Verb, { tokenKey }: Wanted, config: Config): Promise<Done> => {
  // Imported only now: help and a wrong call need not wait for the whole product to load.
  const commands = await import('./compose/commands.ts')
  if (verb === 'rotate-signing') {
    const { created, retired } = await commands.rotateSigningKeyIn(config)
    const said = `The new signing key is ${created}.\n${retired.length} old keys were deleted.\n`
    return { result: { created, retired }, said }
  }
  const { moved, keyId, retired } = await commands.rotateMasterKeyIn(config, { tokenKey })
  const kept = retired.map(
    (file) => `The old key is in ${file}: keep it for backups made before, or delete it.\n`,
  )
  return {
    result: { moved, keyId, retired },
    said: [`${moved} secrets moved under the master key ${keyId}.\n`, ...kept].join(''),
  }
}

type Read =
  | { readonly verb: Verb; readonly wanted: Wanted; readonly wrong?: never }
  | { readonly verb?: never; readonly wanted?: never; readonly wrong: string }

const read = (args: readonly string[]): Read => {
  try {
    const options = { json: { type: 'boolean' }, 'token-key': { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [name, surplus] = positionals
    if (surplus !== undefined) return { wrong: `unknown argument ${surplus}` }
    const verb = verbs.find((known) => known === name)
    if (verb === undefined)
      return { wrong: name === undefined ? 'keys needs a verb' : `there is no verb ${name}` }
    const tokenKey = values['token-key'] ?? false
    if (tokenKey && verb !== 'rotate-master') return { wrong: `${verb} takes no --token-key` }
    return { verb, wanted: { json: values.json ?? false, tokenKey } }
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { wrong: line.split('. To specify')[0] ?? line }
  }
}

const refuse = (message: string): number => {
  process.stderr.write(`millseal: ${message}; try millseal keys --help\n`)
  return 2
}
