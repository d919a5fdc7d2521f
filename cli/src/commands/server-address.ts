import type { Environment } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'

export const serverOption = {
  value: '<url>',
  about: 'the address of the server; default MILLSEAL_SERVER, then http://localhost:8080',
} as const

export const serverAddress = (given: string | undefined, environment: Environment): string => {
  const address = given ?? environment['MILLSEAL_SERVER'] ?? 'http://localhost:8080'
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  if (!['http:', 'https:'].includes(protocol)) {
    const name = given === undefined ? 'MILLSEAL_SERVER' : '--server'
    throw new UsageError(`${name} must be a URL that starts with http:// or https://`)
  }
  return address.replace(/\/$/, '')
}
