import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'

export const restore = command({
  args: ['folder'],
  details: `Puts a backup into an empty data folder (MILLSEAL_DATA_DIR) and an empty database (the embedded one, or DATABASE_URL),
which may be another kind of database than the one it came from. Every file is held against its digest before anything is
written; afterwards rows are counted and the logs verified from their first entry on. A file master.key may lie in the
data folder already.

Stop the server of which it is a backup, or never let both be reached: they would go on as the same ledger. Where a
restore did not finish, empty folder and database and begin again.`,
  examples: ['MILLSEAL_DATA_DIR=/srv/millseal millseal restore /srv/backups/monday'],
  async run({ args: [folder = ''], environment, terminal }) {
    const installed = await installation(environment)
    const restored = await installed.restore({
      folder,
      onProgress: (what) => terminal.progress(`restoring ${what}`),
    })
    const { createdAt, rows, logs, problems, missingKeyId } = restored
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    const sizes = logs.map(([mode, { checkpoint }]) => [mode, checkpoint?.size ?? 0] as const)
    return {
      ok: problems.length === 0,
      result: { createdAt, rows, logs: Object.fromEntries(sizes), problems, missingKeyId },
      said: [
        `${total} rows of ${Object.keys(rows).length} tables are back, as they were at ${createdAt}.\n`,
        ...sizes.map(([mode, size]) => `  ${mode} log: ${size} entries\n`),
        ...problems.map((problem) => `  NOT AS IT WAS: ${problem}\n`),
        missingKeyId === undefined
          ? ''
          : `  Before a server can start: put the master key ${missingKeyId} into ${installed.dataDir}/master.key, or set MILLSEAL_MASTER_KEY.\n`,
      ].join(''),
    }
  },
})
