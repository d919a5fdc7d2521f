import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { UsageError } from '../frame/usage-error.ts'
import { installationHelp } from './installation-help.ts'

export const auditArchive = command({
  args: ['file'],
  options: {
    before: {
      value: '<time>',
      required: true,
      about: 'archive entries older than this, for example 2025-01-01',
    },
  },
  description: `Moves the oldest entries of the audit log to a new file: verifies the log, writes the file, reads it again and then removes
the entries from the database. The file ends at a head that the live log has, so it may end some days earlier. Keep all files:
only together with them the log is complete. Does not disturb a running server.

${installationHelp}`,
  examples: ['millseal audit archive audit-2024.ndjson --before 2025-01-01'],
  async run({ args: [path = ''], values, environment }) {
    const before = new Date(values.before)
    if (Number.isNaN(before.getTime()) || before.getTime() > Date.now())
      throw new UsageError('--before must be a time that has passed, for example 2025-01-01')
    const report = await (await installation(environment)).archiveAudit({ path, before })
    return { result: { file: path, ...report }, text: `${path}: ${archiveText(report)}` }
  },
})

type ArchiveReport = Awaited<ReturnType<Awaited<ReturnType<typeof installation>>['archiveAudit']>>

export const archiveText = ({ after, end, entries, transactionId }: ArchiveReport): string =>
  `${entries} entries, from position ${after.position + 1} to ${end.position}
  hash of the end  ${end.hash}
  recorded in      transaction ${transactionId} of the live log
`
