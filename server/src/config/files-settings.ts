import { s3Address } from './s3-settings.ts'
import { optionalLine, setting } from './setting-values.ts'

/** Where the log and the archive of the embedded database are. */
export const filesSettings = {
  files: setting({
    name: 'MILLSEAL_FILES',
    about:
      'Where the log is: folder (below MILLSEAL_DATA_DIR), postgres (in the database) or s3 (in MILLSEAL_S3_BUCKET); by default postgres with DATABASE_URL, otherwise folder.',
    fallback: '',
    read: (value): 'folder' | 'postgres' | 's3' | undefined => {
      if (value === '') return undefined
      if (value === 'folder' || value === 'postgres' || value === 's3') return value
      throw new Error('folder, postgres or s3')
    },
  }),
  walArchive: setting({
    name: 'MILLSEAL_WAL_ARCHIVE',
    about:
      'Where the write-ahead log of the embedded database is archived, to restore any second: a folder, or s3://bucket/name in the store of MILLSEAL_S3_*. Needs MILLSEAL_FILES=postgres or s3.',
    fallback: '',
    read: (value): string | undefined => {
      if (value.startsWith('s3://') && !s3Address.test(value))
        throw new Error('a folder, or s3://bucket/name')
      return optionalLine(value)
    },
  }),
}
