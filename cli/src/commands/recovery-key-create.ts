import { command } from '../frame/command.ts'
import { createRecoveryKey, didOfRecoveryKey } from '../recovery/recovery-key.ts'

export const recoveryKeyCreate = command({
  args: ['file'],
  description: `Writes a new Ed25519 key to <file> and prints its DID. Publish identities with this DID as recoveryDid; then the key can
revoke them, even if wallet and account are lost. Keep the file offline: anybody who has it can revoke these identities.

Needs no server and no network.`,
  examples: ['millseal recovery-key create mill.recovery.pem'],
  async run({ args: [file = ''] }) {
    const did = didOfRecoveryKey(await createRecoveryKey(file))
    return { result: { did }, text: `${did}\n` }
  },
})
