import { sql } from 'kysely'
import type { Query } from '../../ports/database/database.ts'
import {
  assertFileName,
  type ByteRange,
  FileConflict,
  type Files,
  type NewFile,
  type Replacement,
} from '../../ports/files/files.ts'

/**
 * Files in the database. A file is a sequence of parts: one that was appended to has a part for each time. Names are
 * sorted by their bytes, so that those in a folder are between `folder/` and `folder0`.
 */
export const createPostgresFiles = (query: Query, folder = ''): Files => {
  const full = (name: string): string => `${folder}${assertFileName(name)}`
  const inside = (files: readonly NewFile[]) => files.map(({ name, bytes }) => ({ name: full(name), bytes }))
  return {
    kind: 'postgres',
    place: 'the database',
    within: (name) => createPostgresFiles(query, `${full(name)}/`),
    read: async (name) => readFile(query, full(name)),
    readRange: async (name, range) => readRange(query, full(name), range),
    async size(name) {
      const { rows } = await sql<{ size: number }>`
        select part + length(bytes) as size from stored_files
        where name = ${full(name)} order by part desc limit 1`.execute(query)
      return rows[0]?.size
    },
    async list(name) {
      const start = name === undefined ? folder : `${full(name)}/`
      const isInside =
        start === '' ? sql`` : sql`name >= ${start} and name < ${start.replace(/\/$/, '0')} and`
      const { rows } = await sql<{ name: string }>`
        select name from stored_files where ${isInside} part = 0 order by name`.execute(query)
      return rows.map((row) => row.name.slice(folder.length))
    },
    put: async (files) => putOnce(query, inside(files)),
    replace: async ({ name, ...rest }) => replaceFile(query, { name: full(name), ...rest }),
    async remove(names) {
      const all = names.map(full)
      await sql`
        delete from stored_files f using unnest(${all}::text[]) as removed (name)
        where f.name = removed.name or (f.name >= removed.name || '/' and f.name < removed.name || '0')`.execute(
        query,
      )
    },
    async openWriter(session, head) {
      // What is published is not derived from anything: it must be on disk when it is acknowledged.
      await sql`set synchronous_commit = on`.execute(session)
      return {
        cut: (name, length) => cutFile(session, full(name), length),
        async prepare({ files, appended, replaced }) {
          await overwrite(session, inside(files))
          if (appended !== undefined)
            await append(session, { name: full(appended.name), bytes: appended.bytes })
          return {
            publish: () => replaceFile(session, { ...replaced, name: full(head) }),
          }
        },
        [Symbol.asyncDispose]: async () => {},
      }
    },
  }
}

const readFile = async (query: Query, name: string): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from stored_files where name = ${name} order by part`.execute(query)
  return joined(rows)
}

/** Before an end of the file that is not there, the last part gives an empty answer, not a missing file. */
const readRange = async (
  query: Query,
  name: string,
  { offset, length }: ByteRange,
): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ bytes: Buffer }>`
    select substring(bytes from greatest(0, ${offset}::bigint - part)::int + 1
      for greatest(0, least(length(bytes), ${offset + length}::bigint - part) - greatest(0, ${offset}::bigint - part))::int) as bytes
    from stored_files
    where name = ${name} and part < ${Math.max(offset + length, 1)}
      and part >= (select max(part) from stored_files where name = ${name} and part <= ${offset})
    order by part`.execute(query)
  return joined(rows)
}

const joined = (rows: readonly { readonly bytes: Buffer }[]): Buffer | undefined => {
  const [first, ...more] = rows
  if (first === undefined || more.length === 0) return first?.bytes
  return Buffer.concat(rows.map(({ bytes }) => bytes))
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const putOnce = async (query: Query, files: readonly NewFile[]): Promise<void> => {
  if (files.length === 0) return
  const { rows } = await sql<{ name: string }>`
    insert into stored_files (name, bytes)
    values ${sql.join(files.map(({ name, bytes }) => sql`(${name}, ${asBuffer(bytes)})`))}
    on conflict do nothing returning name`.execute(query)
  const added = new Set(rows.map(({ name }) => name))
  for (const { name, bytes } of files) {
    if (!added.has(name) && (await readFile(query, name))?.equals(bytes) !== true)
      throw new FileConflict(`${name} exists with other bytes`)
  }
}

const overwrite = async (query: Query, files: readonly NewFile[]): Promise<void> => {
  if (files.length === 0) return
  await sql`
    insert into stored_files (name, bytes)
    values ${sql.join(files.map(({ name, bytes }) => sql`(${name}, ${asBuffer(bytes)})`))}
    on conflict (name, part) do update set bytes = excluded.bytes`.execute(query)
}

const append = async (query: Query, { name, bytes }: NewFile): Promise<void> => {
  await sql`
    insert into stored_files (name, part, bytes)
    select ${name}, coalesce((
      select part + length(bytes) from stored_files where name = ${name} order by part desc limit 1), 0),
      ${asBuffer(bytes)}`.execute(query)
}

const cutFile = async (query: Query, name: string, length: number): Promise<void> => {
  await sql`
    with removed as (delete from stored_files where name = ${name} and part >= ${length})
    update stored_files set bytes = substring(bytes for (${length} - part)::int)
    where name = ${name} and part < ${length} and part + length(bytes) > ${length}`.execute(query)
}

const replaceFile = async (query: Query, { name, expected, bytes }: Replacement): Promise<void> => {
  const changed =
    expected === undefined
      ? sql`insert into stored_files (name, bytes) values (${name}, ${asBuffer(bytes)}) on conflict do nothing`
      : sql`update stored_files set bytes = ${asBuffer(bytes)}
          where name = ${name} and part = 0 and bytes = ${asBuffer(expected)}`
  const { numAffectedRows } = await changed.execute(query)
  if (numAffectedRows !== 1n) throw new FileConflict(`Another process has written ${name}`)
}
