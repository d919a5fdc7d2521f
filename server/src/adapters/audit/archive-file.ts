import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { hex, linkHash, noHash } from './link-hash.ts'

const format = 'millseal-audit-archive-1'

/** A place in the chain; the hash is in hex. */
export type ArchiveEnd = { readonly position: number; readonly hash: string }
export type ArchivedEntry = { readonly position: number; readonly chainedAt: Date; readonly entry: string }

export type ArchiveReport = {
  readonly after: ArchiveEnd
  readonly end: ArchiveEnd
  readonly entries: number
  /** Of the head on the live log that has the end. */
  readonly transactionId: string
}

type Written = {
  readonly after: ArchiveEnd | undefined
  readonly entries: AsyncIterable<ArchivedEntry>
  readonly end: ArchiveEnd & { readonly transactionId: string }
}

/** One JSON value per line: what comes before, the entries, the end. Never replaces a file; it is on disk when this resolves. */
export const writeArchive = async (path: string, { after, entries, end }: Written): Promise<void> => {
  await using file = await open(path, 'wx', 0o600)
  await using unfinished = new AsyncDisposableStack()
  unfinished.defer(() => rm(path, { force: true }))
  const lines = async function* () {
    yield line({ format, after: after ?? { position: 0, hash: hex(noHash) } })
    for await (const { position, chainedAt, entry } of entries) yield line({ position, chainedAt, entry })
    yield line({ end })
  }
  await file.writeFile(lines())
  await file.sync()
  unfinished.move()
}

const line = (value: object): string => `${JSON.stringify(value)}\n`

/** Computes every hash again. Throws what is wrong, with the line. */
export const readArchive = async (path: string): Promise<ArchiveReport> => {
  let after: ArchiveEnd | undefined
  let last: ArchiveEnd | undefined
  let report: ArchiveReport | undefined
  let number = 0
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1
    const fail = (why: string): Error => new Error(`${path}: line ${number} ${why}`)
    const value = parse(text)
    if (value === undefined || report !== undefined) throw fail('is not part of an archive')
    if (after === undefined || last === undefined) {
      if (value['format'] !== format || !isEnd(value['after']))
        throw fail('is not the beginning of an archive')
      after = last = value['after']
    } else if ('end' in value) {
      const { end } = value
      if (!isEnd(end) || typeof end.transactionId !== 'string') throw fail('is not the end of an archive')
      if (end.position !== last.position || end.hash !== last.hash)
        throw fail('has another hash than the entries before it')
      report = { after, end: last, entries: last.position - after.position, transactionId: end.transactionId }
    } else last = nextOf(last, value, fail)
  }
  if (report === undefined) throw new Error(`${path}: the end is missing`)
  return report
}

type Line = Readonly<Record<string, unknown>>

const parse = (text: string): Line | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isLine(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isLine = (value: unknown): value is Line => typeof value === 'object' && value !== null

const isEnd = (value: unknown): value is ArchiveEnd & { readonly transactionId?: unknown } =>
  isLine(value) &&
  Number.isSafeInteger(value['position']) &&
  typeof value['hash'] === 'string' &&
  /^[\da-f]{64}$/.test(value['hash'])

const nextOf = (
  last: ArchiveEnd,
  { position, chainedAt, entry }: Line,
  fail: (why: string) => Error,
): ArchiveEnd => {
  const time = typeof chainedAt === 'string' ? new Date(chainedAt) : undefined
  if (typeof entry !== 'string' || time === undefined || Number.isNaN(time.getTime()))
    throw fail('is not an entry')
  if (position !== last.position + 1) throw fail(`does not have the position ${last.position + 1}`)
  const entryHash = createHash('sha256').update(entry).digest()
  return {
    position,
    hash: hex(linkHash(Buffer.from(last.hash, 'hex'), { position, chainedAt: time, entryHash })),
  }
}
