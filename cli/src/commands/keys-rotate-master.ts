import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { whereItWorks } from './where-it-works.ts'

export const keysRotateMaster = command({
  options: {
    'token-key': {
      about: 'makes a new key in the PKCS#11 token too, and lays the roots of live wallets under it',
    },
  },
  details: `Lays everything that is sealed at rest under a new master key, while servers go on. With a key file it makes the key
itself; with MILLSEAL_MASTER_KEY set it to NEW,OLD at every server first. It can be stopped and run again.

${whereItWorks}`,
  examples: ['millseal keys rotate-master'],
  async run({ values, environment }) {
    const rotate = (await installation(environment)).rotateMasterKey
    const { moved, keyId, retired } = await rotate({ tokenKey: values['token-key'] })
    const kept = retired.map(
      (file) => `The old key is in ${file}: keep it for backups made before, or delete it.\n`,
    )
    return {
      result: { moved, keyId, retired },
      said: [`${moved} secrets moved under the master key ${keyId}.\n`, ...kept].join(''),
    }
  },
})
