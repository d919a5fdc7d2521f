import type { Environment } from '../frame/command.ts'
import { WrongCall } from '../frame/wrong-call.ts'

/** The option of every command that asks a server. */
export const serverOption = {
  value: '<url>',
  about: 'the server to ask; else MILLSEAL_SERVER, else http://localhost:8080',
} as const

export const serverAddress = (given: string | undefined, environment: Environment): string => {
  const address = given ?? environment['MILLSEAL_SERVER'] ?? 'http://localhost:8080'
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  if (!['http:', 'https:'].includes(protocol)) {
    throw new WrongCall(
      `${given === undefined ? 'MILLSEAL_SERVER' : '--server'} takes a URL that starts with http:// or https://`,
    )
  }
  return address.replace(/\/$/, '')
}
