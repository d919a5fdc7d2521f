import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { connect } from '@millseal/sdk'
import type { Environment } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'

/** The secret is not an option, because every user of a machine can read the arguments. */
export const credentialOptions = {
  'client-id': { value: '<id>', about: 'the id of the application; default MILLSEAL_CLIENT_ID' },
} as const

export const credentialHelp = `Set MILLSEAL_CLIENT_SECRET to the secret of the application, or pass the secret on standard input.`

export const accessHelp = `If MILLSEAL_TOKEN is set, the command uses that access token. Otherwise it requests one, which a server allows five times a
minute. For many commands in a row, run: export MILLSEAL_TOKEN=$(millseal token)`

/** MILLSEAL_TOKEN, or a new access token. */
export const readAccessToken = async (
  given: { readonly baseUrl: string; readonly clientId: string | undefined },
  environment: Environment,
): Promise<string> => {
  const existing = environment['MILLSEAL_TOKEN'] ?? ''
  if (existing !== '') return existing
  const body = await readCredentials(given.clientId, environment)
  return (await connect({ baseUrl: given.baseUrl }).createToken({ body })).accessToken
}

export const readCredentials = async (
  given: string | undefined,
  environment: Environment,
): Promise<{ clientId: string; clientSecret: string }> => {
  const clientId = given ?? environment['MILLSEAL_CLIENT_ID']
  if (clientId === undefined || clientId === '')
    throw new UsageError('the client id is missing: use --client-id, or set MILLSEAL_CLIENT_ID')
  const clientSecret = environment['MILLSEAL_CLIENT_SECRET'] ?? (await promptForSecret())
  if (clientSecret === '')
    throw new UsageError(
      'the client secret is missing: set MILLSEAL_CLIENT_SECRET, or pass it on standard input',
    )
  return { clientId, clientSecret }
}

const promptForSecret = async (): Promise<string> => {
  const isTerminal = process.stdin.isTTY
  if (isTerminal) process.stderr.write('Client secret: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
