import { chmod, chown, lstat, mkdir } from 'node:fs/promises'
import { DatabaseRefused } from '../refused.ts'

/** A folder that only PostgreSQL can use: `owner` if it does not run as this user. */
export const makePrivate = async (path: string, owner: number | undefined): Promise<void> => {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(path)
  if (!found.isDirectory()) throw new DatabaseRefused(`${path} must be a folder: delete it`)
  await chmod(path, 0o700)
  if (owner !== undefined && found.uid !== owner) await chown(path, owner, owner)
}
