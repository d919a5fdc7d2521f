import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { installationHelp } from './installation-help.ts'

export const backup = command({
  args: ['place'],
  options: {
    'key-file': {
      value: 'path',
      about: 'encrypt the backup, into one file or S3; the first line of this file is the key',
    },
    clean: {
      about:
        'in S3: first remove the objects of an unfinished backup with this name, whose command does not run any more',
    },
    'include-keys': {
      about: 'include master.key: anyone who has the backup can then decrypt every secret in it',
    },
  },
  description: `Saves the database, logs, imported schemas and e-mails to <place>, with a digest of every file. The database is one
snapshot; each log includes at least everything in that snapshot. You can leave the server running.

<place> is a new folder. With --key-file, it is a new file, or s3://bucket/name in the store of MILLSEAL_S3_ENDPOINT with the
access key of MILLSEAL_S3_KEY_ID and MILLSEAL_S3_SECRET. The backup is encrypted while it is read; nothing of it is on disk
unencrypted. openssl rand -base64 32 > backup.key makes a key. Keep a copy of the key elsewhere; nobody can restore the
backup without it.

Without --include-keys the backup does not contain the master key. Store master.key, or the value of MILLSEAL_MASTER_KEY,
elsewhere: without it nobody can decrypt the secrets.

${installationHelp}`,
  examples: [
    'millseal backup monday.backup --key-file backup.key',
    'millseal backup s3://backups/millseal/monday --key-file backup.key',
    'millseal backup /srv/backups/monday',
    'millseal backup /mnt/safe/monday --include-keys',
  ],
  async run({ args: [name = ''], values, environment, terminal }) {
    const installed = await installation(environment)
    const manifest = await installed.backUp({
      name,
      keyFile: values['key-file'],
      clean: values.clean,
      includeKeys: values['include-keys'],
      onProgress: (what) => terminal.progress(`saving ${what}`),
    })
    const { createdAt, database, logs, masterKeyId, hasKeys, files } = manifest
    const { tables } = database
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const sizes = Object.entries(logs).map(([mode, size]) => `  ${mode} log: ${size} entries\n`)
    return {
      result: {
        place: name,
        createdAt,
        tables,
        rows,
        logs,
        files: files.length,
        bytes,
        masterKeyId,
        hasKeys,
      },
      text: [
        `${name}: ${rows} rows of ${tables.length} tables, ${files.length} files, ${bytes} bytes.\n`,
        ...sizes,
        hasKeys
          ? '  The backup contains the master key: protect it like the key itself.\n'
          : `  The backup does not contain the master key ${masterKeyId}: store the key elsewhere.\n`,
      ].join(''),
    }
  },
})
