import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'

export const serverOption = {
  value: '<url>',
  about:
    'the address of the server; default MILLSEAL_SERVER, then MILLSEAL_PORT on this machine, then the server that runs with the data folder, then http://localhost:8080',
} as const

export const serverAddress = (given: string | undefined, environment: Environment): string => {
  const address = given ?? environment['MILLSEAL_SERVER'] ?? addressHere(environment)
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  if (!['http:', 'https:'].includes(protocol)) {
    const name = given === undefined ? 'MILLSEAL_SERVER' : '--server'
    throw new UsageError(`${name} must be a URL that starts with http:// or https://`)
  }
  return address.replace(/\/$/, '')
}

/** The settings of the server on this machine, and what it left in its data folder. */
const addressHere = (environment: Environment): string => {
  const port = environment['MILLSEAL_PORT'] ?? ''
  if (/^[1-9]\d*$/.test(port)) return `http://localhost:${port}`
  return findAddress(environment['MILLSEAL_DATA_DIR'] ?? './data') ?? 'http://localhost:8080'
}

/** What a server leaves while it runs. Undefined if none runs with this data folder. */
const findAddress = (dataDir: string): string | undefined => {
  try {
    return readFileSync(join(dataDir, 'server-address'), 'utf8').trim()
  } catch {
    return undefined
  }
}
