import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'

export const doctor = command({
  details: `Looks at settings, data folder, free space, master key, database, its clock, the logs, mail and ports, with the settings
of the server, beside it or before its first start. Exit code 1 where something would keep a server from working.`,
  examples: ['millseal doctor'],
  async run({ environment, terminal: { good, bad, faint } }) {
    const findings = await (await installation(environment)).examine()
    const marks = { passed: good('✓'), warning: faint('!'), failed: bad('✗') }
    return {
      ok: findings.every(({ outcome }) => outcome !== 'failed'),
      result: findings,
      said: findings
        .map(({ name, outcome, says }) => `${marks[outcome]} ${name.padEnd(16)} ${says}\n`)
        .join(''),
    }
  },
})
