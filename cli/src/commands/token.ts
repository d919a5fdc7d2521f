import { connect } from '@millseal/sdk'
import { command } from '../frame/command.ts'
import { credentialHelp, credentialOptions, readCredentials } from './credentials.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const token = command({
  options: { ...credentialOptions, server: serverOption },
  description: `Prints an access token of an application. It is valid for a day.

${credentialHelp}`,
  examples: ['MILLSEAL_CLIENT_SECRET=$(cat secret) millseal token --client-id hfsxW2KtYL'],
  async run({ values, environment }) {
    const baseUrl = serverAddress(values.server, environment)
    const body = await readCredentials(values['client-id'], environment)
    const { accessToken } = await connect({ baseUrl }).createToken({ body })
    return { result: { accessToken }, text: `${accessToken}\n` }
  },
})
