import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Query, Transaction } from '../../ports/database/database.ts'
import { FileConflict, type Files, filesKinds, type FilesKind } from '../../ports/files/files.ts'

/** Database and files are not of one installation, or the files are elsewhere. Nothing was changed. */
export class OtherInstallation extends Error {
  override readonly name = 'OtherInstallation'
}

const markName = 'installation'

/**
 * Makes sure that the database and these files belong together: both have the id of the installation. At the first start,
 * and at the first one of a release that knows ids, they get one. Rejects with `OtherInstallation`.
 */
export const claimFiles = async ({
  database,
  files,
  canBeOurs,
}: {
  readonly database: Database
  /** Of the logs. */
  readonly files: Files
  /** Whether files without an id can be those of this installation. Only asked before the first mark. */
  readonly canBeOurs: (tx: Transaction) => Promise<boolean>
}): Promise<void> => {
  await database.query
    .insertInto('installation')
    .values({ id: randomUUID(), files: files.kind })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // The lock lets one process after the other look, so that two new folders do not both get the id.
  await database.transaction(async (tx) => {
    const { rows } = await sql<Installed>`
      select id, files, marked from installation for update`.execute(tx)
    const [installed] = rows
    if (installed === undefined) throw new Error('The installation is missing from the database')
    assertPlace(installed, files)
    if (await isMarked(files, installed)) return
    if (installed.marked || !(await canBeOurs(tx))) throw isUnmarked(files, installed)
    await mark(tx, { files, id: installed.id })
  })
}

/** For commands, which mark nothing. */
export const assertFilesOf = async (query: Query, files: Files): Promise<void> => {
  const installed = await findInstallation(query)
  if (installed === undefined) return
  assertPlace(installed, files)
  if (!(await isMarked(files, installed)) && installed.marked) throw isUnmarked(files, installed)
}

/** Before anything is copied there. Rejects if another installation has files in this place. */
export const assertNotOfAnother = async (query: Query, files: Files): Promise<void> => {
  const installed = await findInstallation(query)
  if (installed !== undefined) await isMarked(files, installed)
}

/** For a restore. Rejects if an installation, whichever, has files in this place. */
export const assertNoFiles = async (files: Files): Promise<void> => {
  const found = (await files.read(markName))?.toString('utf8').trim()
  if (found !== undefined)
    throw new OtherInstallation(
      `The installation ${found} has its files in ${files.place}: restore to an empty place`,
    )
}

/** Undefined before the first start. */
export const readPlace = async (query: Query): Promise<FilesKind | undefined> => {
  const installed = await findInstallation(query)
  return filesKinds.find((kind) => kind === installed?.files)
}

/** From now on, these are the files of this database. They must be complete. */
export const switchTo = async (tx: Transaction, files: Files): Promise<void> => {
  const installed = await findInstallation(tx)
  const id = installed?.id ?? randomUUID()
  if (installed === undefined) await tx.insertInto('installation').values({ id, files: files.kind }).execute()
  await mark(tx, { files, id })
}

type Installed = { readonly id: string; readonly files: string; readonly marked: boolean }

const findInstallation = (query: Query): Promise<Installed | undefined> =>
  query.selectFrom('installation').select(['id', 'files', 'marked']).executeTakeFirst()

const places: Readonly<Record<FilesKind, string>> = {
  folder: 'the data folder',
  postgres: 'the database',
  s3: 'an S3 bucket',
}

const defaults: Readonly<Record<FilesKind, string>> = {
  folder: ' (the default without DATABASE_URL)',
  postgres: ' (the default with DATABASE_URL)',
  s3: '',
}

const assertPlace = (installed: Installed, { kind }: Files): void => {
  if (installed.files === kind) return
  const known = filesKinds.find((one) => one === installed.files)
  const place = known === undefined ? installed.files : places[known]
  throw new OtherInstallation(
    `The files of this installation are in ${place}, but MILLSEAL_FILES is ${kind}${defaults[kind]}: set MILLSEAL_FILES=${installed.files}, or stop all servers and run: millseal files move ${kind}`,
  )
}

const isMarked = async (files: Files, { id }: Installed): Promise<boolean> => {
  const found = (await files.read(markName))?.toString('utf8').trim()
  if (found === undefined || found === id) return found === id
  throw new OtherInstallation(
    `The database belongs to the installation ${id}, but ${files.place} belongs to the installation ${found}: set DATABASE_URL, MILLSEAL_DATA_DIR and MILLSEAL_FILES (with MILLSEAL_S3_*) to those of one installation`,
  )
}

const isUnmarked = (files: Files, { id }: Installed): OtherInstallation =>
  new OtherInstallation(
    `The database belongs to the installation ${id}, whose files are elsewhere: ${files.place} has no files of an installation. Set MILLSEAL_DATA_DIR to the folder that all its processes share, or stop all servers and run there: millseal files move postgres`,
  )

const mark = async (
  tx: Transaction,
  { files, id }: { readonly files: Files; readonly id: string },
): Promise<void> => {
  // Before the row: a mark without its row does no harm.
  await files.put([{ name: markName, bytes: Buffer.from(`${id}\n`) }]).catch((error: unknown) => {
    if (error instanceof FileConflict)
      throw new OtherInstallation(`${files.place} belongs to another installation than ${id}`, {
        cause: error,
      })
    throw error
  })
  await tx.updateTable('installation').set({ files: files.kind, marked: true }).execute()
}
