import { InvalidTransaction, isLogTime } from '@millseal/proof'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'
import { readRecoveryKey, signRevocation } from '../recovery/recovery-key.ts'

export const recoveryKeySign = command({
  args: ['did'],
  options: {
    key: { value: '<file>', required: true, about: 'the recovery key, as recovery-key create wrote it' },
    since: {
      value: '<time>',
      about: 'certificates recorded from then on are not to be trusted; default now',
    },
    reason: { value: '<text>', required: true, about: 'why; public, on the ledger for ever' },
  },
  description: `Signs the revocation of the key <did> with its recovery key and prints it. Record it with millseal recovery-key send. The
log accepts it if the first recorded identity of <did> names the recovery key as recoveryDid.

Needs no server and no network.`,
  examples: [
    'millseal recovery-key sign did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH --key mill.recovery.pem --reason "Stolen" > revocation.json',
  ],
  async run({ args: [did = ''], values: { key, since, reason } }) {
    const time = timeOf(since)
    const recovery = await readRecoveryKey(key)
    try {
      const revocation = signRevocation(recovery, { did, since: time, reason })
      return { result: revocation, text: `${JSON.stringify(revocation)}\n` }
    } catch (error) {
      if (error instanceof InvalidTransaction) throw new UsageError(error.message)
      throw error
    }
  },
})

const timeOf = (given: string | undefined): string => {
  const date = given === undefined ? new Date() : new Date(given)
  const time = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  if (!isLogTime(time) || date.getTime() > Date.now())
    throw new UsageError('--since must be a time that has passed, for example 2026-11-17T00:00:00.000Z')
  return time
}
