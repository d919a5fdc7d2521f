import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { whereItWorks } from './where-it-works.ts'

export const keysRotateSigning = command({
  details: `Makes a new key to sign access tokens with. A running server shows it at /.well-known/jwks.json within 5 seconds
and signs with it a minute later, when every process and every cache of the key set has it. Nobody is signed out: old
keys are kept until the last token they signed is over. Happens by itself every 90 days.

${whereItWorks} It takes the master key of the server.`,
  examples: ['millseal keys rotate-signing'],
  async run({ environment }) {
    const { created, retired } = await (await installation(environment)).rotateSigningKey()
    return {
      result: { created, retired },
      said: `The new signing key is ${created}.\n${retired.length} old keys were deleted.\n`,
    }
  },
})
