import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { installationHelp } from './installation-help.ts'

export const keysRotateMaster = command({
  options: {
    'token-key': {
      about: 'also create a new key in the PKCS#11 token and re-encrypt the roots of live wallets with it',
    },
  },
  description: `Re-encrypts all secrets with a new master key. You can leave servers running. With a key file, the command creates the key.
With MILLSEAL_MASTER_KEY, first set it to NEW,OLD on every server. You can interrupt the command and run it again.

${installationHelp}`,
  examples: ['millseal keys rotate-master'],
  async run({ values, environment }) {
    const rotate = (await installation(environment)).rotateMasterKey
    const { moved, keyId, retired } = await rotate({ tokenKey: values['token-key'] })
    const old = retired.map((file) => `The old key is in ${file}. Keep it for older backups, or delete it.\n`)
    return {
      result: { moved, keyId, retired },
      text: [`Re-encrypted ${moved} secrets with the master key ${keyId}.\n`, ...old].join(''),
    }
  },
})
