import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { installationHelp } from './installation-help.ts'

export const logContinueAsNew = command({
  options: {
    mode: { value: '<mode>', among: ['test', 'live'], required: true, about: 'the mode of the log' },
  },
  description: `Lets a log go on under a new name and with a new key. Needed after an older backup was restored: the server refuses to
append to a log that is shorter than its newest known checkpoint, because two different logs under one name would look like fraud.
Entries and the key of the operator stay. The last checkpoint and the key of the old name stay public under frozen/.
Entries that only the lost log had are not in the new one: record them again.

${installationHelp} Stop all servers first.`,
  examples: ['millseal log continue-as-new --mode live'],
  async run({ values: { mode }, environment }) {
    const { size, frozen, vkey } = await (await installation(environment)).continueLog(mode)
    return {
      result: { mode, size, frozen, vkey },
      text: [
        `The ${mode} log goes on with ${size} entries. Its new key:\n\n${vkey}\n\n`,
        'Give it to everybody who verifies your certificates offline: they add it to their trust policy and keep the old key.\n',
        `The old checkpoint and key are at /ledger/${mode}/frozen/${frozen}/. Tell those who watch the log why it has a new name.\n`,
      ].join(''),
    }
  },
})
