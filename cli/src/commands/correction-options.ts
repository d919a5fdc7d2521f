import type { Mode } from '@millseal/contract'
import { connect } from '@millseal/sdk'
import type { Environment } from '../frame/command.ts'
import { idPattern } from '../frame/id-pattern.ts'
import { readCertificateFile } from '../verification/read-file.ts'
import { credentialOptions, readAccessToken } from './credentials.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const correctionOptions = {
  mode: { value: '<mode>', required: true, among: ['test', 'live'], about: 'the mode of the application' },
  reason: { value: '<text>', required: true, about: 'why; public, on the ledger for ever' },
  ...credentialOptions,
  server: serverOption,
} as const

/** A client with the access token of an application. */
export const connectApplication = async (
  given: { readonly 'client-id'?: string | undefined; readonly server?: string | undefined },
  environment: Environment,
) => {
  const baseUrl = serverAddress(given.server, environment)
  const accessToken = await readAccessToken({ baseUrl, clientId: given['client-id'] }, environment)
  return connect({ baseUrl, accessToken })
}

/** The id of a certificate, given as such or as its JSON or PDF. */
export const readCertificateId = async (
  client: Awaited<ReturnType<typeof connectApplication>>,
  { given, mode }: { readonly given: string; readonly mode: Mode },
): Promise<string> => {
  if (idPattern.test(given)) return given
  const { hash } = await readCertificateFile(given)
  const [found] = await client.listCertificates({ query: { mode, hash: hash.hash, state: 'notarized' } })
  if (found === undefined)
    throw new Error(`${given} is not a certificate that your company notarized (SHA-256 ${hash.hash})`)
  return found.id
}
