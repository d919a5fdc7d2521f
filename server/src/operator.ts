import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config.ts'

type Environment = Readonly<Record<string, string | undefined>>

const help = `Usage: millseal operator create --email <address> [--username <name>] [--json]

Makes an operator of the platform, who reviews companies. Somebody who is registered already is promoted and keeps
the password; otherwise the account is made, with a password that is printed this once.

Works in the data folder (MILLSEAL_DATA_DIR) whether or not a server runs there, or in the database of DATABASE_URL.
millseal serve --help lists all settings.

  --email     how mails reach the operator
  --username  to sign in with; without it, the part of the address before the @
  --json      prints id, username, email, outcome (created, promoted, unchanged) and password as JSON
`

/** Resolves with the exit code: 0 done, 1 failed, 2 called wrongly or a setting cannot be used. */
export const operator = async (args: readonly string[], environment: Environment): Promise<number> => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help)
    return 0
  }
  try {
    const { json, ...wanted } = read(args)
    const config = readConfig(environment)
    // Imported only now: help and a wrong call need not wait for the whole product to load.
    const { makeOperatorIn } = await import('./compose/commands.ts')
    const made = await makeOperatorIn(config, wanted)
    const password = made.password?.reveal()
    process.stdout.write(
      json
        ? `${JSON.stringify({ ...made, ...(password === undefined ? {} : { password }) })}\n`
        : tell(made, password),
    )
    return 0
  } catch (error) {
    const isWrongCall = error instanceof WrongCall || error instanceof ConfigError
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`millseal: ${message.replaceAll(/\s*\n\s*/g, ' ')}\n`)
    return isWrongCall ? 2 : 1
  }
}

class WrongCall extends Error {
  override readonly name = 'WrongCall'
}

type Wanted = { readonly email: string; readonly username?: string; readonly json: boolean }

const read = ([verb, ...args]: readonly string[]): Wanted => {
  if (verb !== 'create') {
    throw new WrongCall(
      `${verb === undefined ? 'operator needs a verb' : `there is no verb ${verb}`}; try millseal operator --help`,
    )
  }
  const { email, username, json = false } = parse(args)
  if (email === undefined) throw new WrongCall('--email is missing; try millseal operator --help')
  if (!/^[^@\s]+@[^@\s]+$/.test(email) || email.length > 254)
    throw new WrongCall('--email is not an e-mail address')
  if (username !== undefined && !/^[^@\s]{4,64}$/.test(username)) {
    throw new WrongCall('--username takes 4 to 64 characters, none of them a blank or an @')
  }
  return { email, json, ...(username === undefined ? {} : { username }) }
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: { email: { type: 'string' }, username: { type: 'string' }, json: { type: 'boolean' } },
    }).values
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new WrongCall(`${line.split('. To specify')[0]}; try millseal operator --help`, { cause: error })
  }
}

type Made = { readonly username: string; readonly email: string; readonly outcome: string }

const outcomes: Readonly<Record<string, string>> = {
  created: 'is a new operator',
  promoted: 'was registered already and is an operator now',
  unchanged: 'was an operator already',
}

const tell = ({ username, email, outcome }: Made, password: string | undefined): string =>
  [
    `${username} (${email}) ${outcomes[outcome] ?? outcome}.`,
    password === undefined
      ? '  The password stays as it is.'
      : `  Password  ${password}\n  It is shown this once.`,
    '',
  ].join('\n')
