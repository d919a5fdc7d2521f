import type { Query } from '../database/database.ts'

export type NewFile = { readonly name: string; readonly bytes: Uint8Array }

export type Replacement = {
  readonly name: string
  /** What the file has now; undefined if there is none. */
  readonly expected: Uint8Array | undefined
  readonly bytes: Uint8Array
}

/** New files that readers find through one small file, which is replaced after them. */
export type FileBatch = {
  readonly files: readonly NewFile[]
  /** To the end of a file that `cut` was called for. */
  readonly appended?: NewFile
  readonly replaced: Omit<Replacement, 'name'>
}

export type PreparedBatch = {
  /**
   * Replaces the small file, which is on disk once the transaction is committed. Rejects with `FileConflict` if it is not
   * the expected one.
   */
  publish(): Promise<void>
}

/**
 * Writes a folder for one term. Once another writer has published, this one cannot publish any more, and nothing of it
 * replaces a file that a published batch needs. The caller prepares and publishes a batch in one transaction of the session.
 */
export type FilesWriter = AsyncDisposable & {
  /** From now on, this file has only its first `length` bytes, and batches are appended after them. */
  cut(name: string, length: number): Promise<void>
  /** Resolves when all of the batch is stored. Files that no published batch needed are overwritten. */
  prepare(batch: FileBatch): Promise<PreparedBatch>
}

/**
 * The files of an installation that all its processes share, by name: `ledger/test/checkpoint`.
 *
 * What is written is on disk when the promise resolves, and never visible by halves. A missing file is `undefined`, never
 * an error.
 */
export interface Files {
  readonly kind: FilesKind
  /** For people: the place of these files. */
  readonly place: string
  /** The same files, with names relative to this folder. */
  within(folder: string): Files
  read(name: string): Promise<Buffer | undefined>
  /** Fewer bytes at the end of the file. */
  readRange(name: string, range: ByteRange): Promise<Buffer | undefined>
  size(name: string): Promise<number | undefined>
  /** The names of all files in a folder and its subfolders, or of all files, sorted. */
  list(folder?: string): Promise<readonly string[]>
  /** Writes each file once: again is allowed with the same bytes. Rejects with `FileConflict` if it has others. */
  put(files: readonly NewFile[]): Promise<void>
  /** Rejects with `FileConflict` if the file is not the expected one. For small files. */
  replace(replacement: Replacement): Promise<void>
  /** Removes these files, and all files in folders of these names. */
  remove(names: readonly string[]): Promise<void>
  /**
   * `session` is the database connection that holds the lock of the writer; `replaced` names the small file that its batches
   * replace. Once this resolves, no earlier writer can publish, except in the transaction that it has open.
   */
  openWriter(session: Query, replaced: string): Promise<FilesWriter>
}

/** What readers need, wherever the files are. */
export type ReadableFiles = Pick<Files, 'read' | 'readRange' | 'size' | 'list'>

export type ByteRange = { readonly offset: number; readonly length: number }

export const filesKinds = ['folder', 'postgres', 's3'] as const
export type FilesKind = (typeof filesKinds)[number]

/** The file is not what the caller expected: another process has written it. */
export class FileConflict extends Error {
  override readonly name = 'FileConflict'
}

/** The place of the files does not answer, or not as it should. Temporary. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable'
}

/** Throws unless the name can be a path in any adapter. Names that start with a dot are those of unfinished files. */
export const assertFileName = (name: string): string => {
  if (!/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(name)) throw new Error(`${name} is not the name of a file`)
  return name
}
