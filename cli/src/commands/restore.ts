import { stat } from 'node:fs/promises'
import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'

export const restore = command({
  args: ['folder'],
  options: {
    'key-file': { value: 'path', about: 'the key of an encrypted backup, as for millseal backup' },
  },
  description: `Restores a backup into an empty data folder (MILLSEAL_DATA_DIR) and an empty database: embedded, or the one of
DATABASE_URL, whichever kind the backup came from. Checks the digest of every file before it writes anything. Afterwards it
counts the rows and verifies the logs from the first entry. The data folder may already contain master.key.

Stop the original server, or make sure that nobody can reach both: both would append to the same logs. If a restore does
not finish, empty the data folder and the database and start again.`,
  examples: ['MILLSEAL_DATA_DIR=/srv/millseal millseal restore /srv/backups/monday'],
  async run({ args: [folder = ''], values, environment, terminal }) {
    const keyFile = values['key-file']
    await assertExists(folder, keyFile !== undefined)
    const installed = await installation(environment)
    const restored = await installed.restore({
      folder,
      keyFile,
      onProgress: (what) => terminal.progress(`restoring ${what}`),
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

const assertExists = async (folder: string, isEncrypted: boolean): Promise<void> => {
  const found = await stat(folder).catch((cause: unknown) => {
    throw new Error(`${folder} does not exist, or cannot be read`, { cause })
  })
  if (found.isDirectory() && isEncrypted)
    throw new Error(`${folder} is a folder, which is not encrypted: omit --key-file`)
  if (!found.isDirectory() && !isEncrypted)
    throw new Error(`${folder} is not a folder: for an encrypted backup, use --key-file`)
}
