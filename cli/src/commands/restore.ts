import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'

export const restore = command({
  args: ['place'],
  options: {
    'key-file': { value: 'path', about: 'the key of an encrypted backup, as for millseal backup' },
  },
  description: `Restores a backup into an empty data folder (MILLSEAL_DATA_DIR) and an empty database: embedded, or the one of
DATABASE_URL, whichever kind the backup came from. <place> is what millseal backup was given. Reads the backup twice: checks
the digest of every file before it writes anything. Afterwards it counts the rows and verifies the logs from the first entry.
The data folder may already contain master.key.

Stop the original server, or make sure that nobody can reach both: both would append to the same logs. If a restore does
not finish, empty the data folder and the database and start again.`,
  examples: [
    'MILLSEAL_DATA_DIR=/srv/millseal millseal restore /srv/backups/monday',
    'MILLSEAL_DATA_DIR=/srv/millseal millseal restore s3://backups/millseal/monday --key-file backup.key',
  ],
  async run({ args: [name = ''], values, environment, terminal }) {
    const installed = await installation(environment)
    const restored = await installed.restore({
      name,
      keyFile: values['key-file'],
      onProgress: (line) => terminal.progress(line),
    })
    const { createdAt, rows, logs, problems, missingKeyId } = restored
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    const sizes = logs.map(([mode, { checkpoint }]) => [mode, checkpoint?.size ?? 0] as const)
    return {
      ok: problems.length === 0,
      result: { createdAt, rows, logs: Object.fromEntries(sizes), problems, missingKeyId },
      text: [
        `Restored ${total} rows of ${Object.keys(rows).length} tables, as of ${createdAt}.\n`,
        ...sizes.map(([mode, size]) => `  ${mode} log: ${size} entries\n`),
        ...problems.map((problem) => `  DIFFERENT: ${problem}\n`),
        missingKeyId === undefined
          ? ''
          : `  Before you start a server: put the master key ${missingKeyId} into ${installed.dataDir}/master.key, or set MILLSEAL_MASTER_KEY.\n`,
      ].join(''),
    }
  },
})
