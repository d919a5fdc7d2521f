import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { whereItWorks } from './where-it-works.ts'

export const backup = command({
  args: ['folder'],
  options: {
    'include-keys': {
      about: 'puts master.key into it as well: whoever has the backup can then open every secret in it',
    },
  },
  details: `Writes the database, the logs, imported packs and mails into a folder that does not exist yet, with a digest of every
file. The database is one snapshot; each log reaches at least as far. Nothing has to be stopped.

Without --include-keys the master key is not in it: keep master.key, or the value of MILLSEAL_MASTER_KEY, elsewhere.
Without the key nothing that is sealed can be opened again.

${whereItWorks}`,
  examples: ['millseal backup /srv/backups/monday', 'millseal backup /mnt/safe/monday --include-keys'],
  async run({ args: [folder = ''], values, environment, terminal }) {
    const installed = await installation(environment)
    const manifest = await installed.backUp({
      folder,
      includeKeys: values['include-keys'],
      onProgress: (what) => terminal.progress(`saving ${what}`),
    })
    const { createdAt, database, logs, masterKeyId, hasKeys, files } = manifest
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const grown = Object.entries(logs).map(([mode, size]) => `  ${mode} log: ${size} entries\n`)
    return {
      result: {
        folder,
        createdAt,
        tables: database.tables,
        rows,
        logs,
        files: files.length,
        bytes,
        masterKeyId,
        hasKeys,
      },
      said: [
        `${folder}: ${rows} rows of ${database.tables.length} tables, ${files.length} files, ${bytes} bytes.\n`,
        ...grown,
        hasKeys
          ? '  The master key is in it: keep it as safe as the key.\n'
          : `  The master key ${masterKeyId} is not in it: keep it elsewhere.\n`,
      ].join(''),
    }
  },
})
