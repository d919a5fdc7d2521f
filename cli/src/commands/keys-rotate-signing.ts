import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { installationHelp } from './installation-help.ts'

export const keysRotateSigning = command({
  description: `Creates a new key for signing access tokens. A running server publishes it at /.well-known/jwks.json within 5 seconds and
signs with it a minute later, when all processes and caches have the new key set. Nobody is signed out: an old key stays
until the last token it signed has expired. The server also rotates this key every 90 days.

${installationHelp} Needs the master key of the server.`,
  examples: ['millseal keys rotate-signing'],
  async run({ environment }) {
    const { created, retired } = await (await installation(environment)).rotateSigningKey()
    return {
      result: { created, retired },
      text: `Created the signing key ${created}.\nDeleted ${retired.length} old keys.\n`,
    }
  },
})
