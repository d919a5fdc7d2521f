import { createFolderFiles } from '../src/adapters/files/folder.ts'
import { createPostgresFiles } from '../src/adapters/files/postgres.ts'
import type { Database } from '../src/ports/database/database.ts'
import type { Files } from '../src/ports/files/files.ts'
import { openS3Argument } from './s3-server.ts'

/** In a file of its own: benchmarks use it, and `node:test` in their process would slow every promise. */
export const openFilesArgument = (
  argument: string,
  path: string,
  { query }: Pick<Database, 'query'>,
): Files => {
  if (argument === 'folder') return createFolderFiles(path)
  return argument === 'postgres' ? createPostgresFiles(query) : openS3Argument(argument)
}
