import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'

export const doctor = command({
  description: `Checks settings, data folder, free space, master key, processes, database, clock, connections, logs, mail and ports,
using the settings of the server. Run it before the first start, or while the server runs. The exit code is 1 if a problem would stop the server from
working.`,
  examples: ['millseal doctor'],
  async run({ environment, json, terminal: { print, good, bad, faint } }) {
    const marks = { passed: good('✓'), warning: faint('!'), failed: bad('✗') }
    const findings = await (await installation(environment)).examine(({ name, outcome, says }) => {
      if (!json) print(`${marks[outcome]} ${name.padEnd(16)} ${says}\n`)
    })
    return { ok: findings.every(({ outcome }) => outcome !== 'failed'), result: findings, text: '' }
  },
})
