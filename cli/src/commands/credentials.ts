import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { connect } from '@millseal/sdk'
import type { Environment } from '../frame/command.ts'
import { WrongCall } from '../frame/wrong-call.ts'

/** Arguments are seen by everybody on a machine, so the secret is never one. */
export const credentialOptions = {
  'client-id': { value: '<id>', about: 'of the application; else MILLSEAL_CLIENT_ID' },
} as const

export const accessHelp = `An access token in MILLSEAL_TOKEN is used as it is; otherwise one is fetched, which a server allows five
times a minute: export MILLSEAL_TOKEN=$(millseal token) where many commands follow each other.`

export const credentialHelp = `The secret of the application is taken from MILLSEAL_CLIENT_SECRET, or read from standard input.`

/** Of the application on whose behalf a command works. */
export const readAccessToken = async (
  given: { readonly baseUrl: string; readonly clientId: string | undefined },
  environment: Environment,
): Promise<string> => {
  const ready = environment['MILLSEAL_TOKEN'] ?? ''
  if (ready !== '') return ready
  const body = await readCredentials(given.clientId, environment)
  return (await connect({ baseUrl: given.baseUrl }).createToken({ body })).accessToken
}

export const readCredentials = async (
  given: string | undefined,
  environment: Environment,
): Promise<{ clientId: string; clientSecret: string }> => {
  const clientId = given ?? environment['MILLSEAL_CLIENT_ID']
  if (clientId === undefined || clientId === '')
    throw new WrongCall('--client-id is missing, and MILLSEAL_CLIENT_ID is not set')
  const clientSecret = environment['MILLSEAL_CLIENT_SECRET'] ?? (await askSecret())
  if (clientSecret === '')
    throw new WrongCall('there is no client secret: set MILLSEAL_CLIENT_SECRET, or send it to standard input')
  return { clientId, clientSecret }
}

const askSecret = async (): Promise<string> => {
  const isAsked = process.stdin.isTTY
  if (isAsked) process.stderr.write('Client secret: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isAsked })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
    if (isAsked) process.stderr.write('\n')
  }
}
