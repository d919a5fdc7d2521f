import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { WrongCall } from '../frame/wrong-call.ts'
import { whereItWorks } from './where-it-works.ts'

export const logProve = command({
  args: ['hash'],
  options: {
    mode: { value: '<mode>', among: ['test', 'live'], about: 'in which log to look; live unless given' },
  },
  details: `Prints the proof (c2sp.org/tlog-proof) that a certificate, by the SHA-256 of its JSON or PDF, or a transaction, by its
id, is in a log. With --json the transaction comes with it, and when the log took it.

${whereItWorks}`,
  examples: [`millseal log prove ${'5f'.repeat(32)} > certificate.tlog-proof`],
  async run({ args: [hash = ''], values: { mode = 'live' }, environment }) {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new WrongCall('<hash> has 64 hexadecimal digits')
    const proven = await (await installation(environment)).proveRecord({ hash, mode })
    if (proven === undefined) throw new Error(`the ${mode} log has no record of ${hash}`)
    const { entry, evidence } = proven
    return {
      result: {
        transaction: entry.transaction,
        index: evidence.index,
        timestamp: entry.timestamp,
        tlogProof: evidence.tlogProof,
      },
      said: evidence.tlogProof,
    }
  },
})
