import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'
import { installationHelp } from './installation-help.ts'

export const logProve = command({
  args: ['hash'],
  options: {
    mode: { value: '<mode>', among: ['test', 'live'], about: 'the mode of the log; default live' },
  },
  description: `Prints the proof (c2sp.org/tlog-proof) that a certificate or a transaction is in a log. <hash> is the SHA-256 of the JSON or
PDF of a certificate, or the id of a transaction. With --json, prints the transaction and the time of its entry as well.

${installationHelp}`,
  examples: [`millseal log prove ${'5f'.repeat(32)} > certificate.tlog-proof`],
  async run({ args: [hash = ''], values: { mode = 'live' }, environment }) {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new UsageError('<hash> must be 64 lowercase hexadecimal digits')
    const proven = await (await installation(environment)).proveRecord({ hash, mode })
    if (proven === undefined) throw new Error(`the ${mode} log contains no entry for ${hash}`)
    const { entry, index, tlogProof } = proven
    return {
      result: {
        transaction: entry.transaction,
        index,
        timestamp: entry.timestamp,
        tlogProof,
      },
      text: tlogProof,
    }
  },
})
