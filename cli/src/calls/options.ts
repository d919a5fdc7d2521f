import type { Environment } from '../frame/command.ts'
import { credentialOptions, readAccessToken } from '../commands/credentials.ts'
import { serverAddress, serverOption } from '../commands/server-address.ts'

export const callOptions = {
  company: { value: '<id>', about: 'the company, for the token of a person; one of an application has it' },
  ...credentialOptions,
  server: serverOption,
} as const

export const modeOption = {
  mode: { value: '<mode>', among: ['test', 'live'], about: 'test or live; default test' },
} as const

/** Without a token where everybody may ask. */
export const readCallToken = async (
  given: { readonly 'client-id': string | undefined; readonly server: string | undefined },
  environment: Environment,
  access: string,
): Promise<{ readonly baseUrl: string; readonly accessToken?: string }> => {
  const baseUrl = serverAddress(given.server, environment)
  if (access !== 'bearer' && access !== 'user') return { baseUrl }
  return {
    baseUrl,
    accessToken: await readAccessToken({ baseUrl, clientId: given['client-id'] }, environment),
  }
}
