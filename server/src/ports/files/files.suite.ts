import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Query } from '../database/database.ts'
import { sql } from 'kysely'
import { type FileBatch, FileConflict, type Files, type FilesWriter } from './files.ts'

export type OpenedFiles = AsyncDisposable & {
  readonly files: Files
  /** The same files in another process. */
  readonly other: Files
  /** A database connection for a writer. */
  session(): Promise<Session>
}
export type Session = AsyncDisposable & { readonly query: Query }

const bytesOf = (text: string): Buffer => Buffer.from(text)
const fileOf = (name: string, text: string) => ({ name, bytes: bytesOf(text) })

const publish = async (
  { query }: Session,
  {
    writer,
    batch,
    prepared = async () => {},
  }: { readonly writer: FilesWriter; readonly batch: FileBatch; readonly prepared?: () => Promise<void> },
): Promise<void> => {
  await sql`begin`.execute(query)
  try {
    const ready = await writer.prepare(batch)
    await prepared()
    await ready.publish()
    await sql`commit`.execute(query)
  } catch (error) {
    await sql`rollback`.execute(query)
    throw error
  }
}

/** The guarantees of every place of files. The tests share one place; each has a folder of its own. */
export const describeFiles = (
  name: string,
  open: () => Promise<OpenedFiles>,
  skip: string | false = false,
): void => {
  describe(`files in ${name}`, { skip }, () => {
    let opened: OpenedFiles
    before(async () => {
      opened = await open()
    })
    after(() => opened[Symbol.asyncDispose]())
    const inFolder = (folder: string) => ({
      files: opened.files.within(folder),
      other: opened.other.within(folder),
    })
    const textOf = async (files: Files, path: string) => (await files.read(path))?.toString('utf8')

    test('are read as they were written, whole and in ranges, by every process', async () => {
      const { files, other } = inFolder('reading')
      const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256))
      await files.put([{ name: 'tile/entries/x001/234.p/5', bytes }, fileOf('empty', '')])
      assert.deepEqual(await other.read('tile/entries/x001/234.p/5'), bytes)
      assert.equal(await other.size('tile/entries/x001/234.p/5'), 70_000)
      const range = (offset: number, length: number) =>
        other.readRange('tile/entries/x001/234.p/5', { offset, length })
      assert.deepEqual(await range(60_001, 300), bytes.subarray(60_001, 60_301))
      assert.deepEqual(await range(69_990, 300), bytes.subarray(69_990))
      assert.deepEqual(await range(70_000, 1), Buffer.alloc(0))
      assert.deepEqual(await other.read('empty'), Buffer.alloc(0))
      assert.equal(await other.size('empty'), 0)
    })

    test('that do not exist are undefined, and so are those of other folders', async () => {
      const { files } = inFolder('missing')
      await inFolder('missing-too').files.put([fileOf('there', 'yes')])
      assert.equal(await files.read('there'), undefined)
      assert.equal(await files.size('there'), undefined)
      assert.equal(await files.readRange('there', { offset: 0, length: 9 }), undefined)
      assert.deepEqual(await files.list('folder'), [])
      await files.remove(['there'])
      assert.equal(await textOf(opened.files, 'missing-too/there'), 'yes')
    })

    test('are written once: again with the same bytes, and never with others', async () => {
      const { files } = inFolder('once')
      await Promise.all([1, 2, 3].map(() => files.put([fileOf('a/b', 'first'), fileOf('a/c', 'second')])))
      await assert.rejects(files.put([fileOf('a/b', 'other')]), FileConflict)
      assert.equal(await textOf(files, 'a/b'), 'first')
    })

    test('are listed by folder, sorted, and removed with everything below', async () => {
      const { files } = inFolder('listing')
      await files.put(['x/2', 'x/10', 'x/deep/1', 'xy/1', 'x.p/1'].map((path) => fileOf(path, path)))
      assert.deepEqual(await files.list('x'), ['x/10', 'x/2', 'x/deep/1'])
      assert.ok((await files.list()).includes('x/deep/1'))
      assert.deepEqual(await files.within('x').list(), ['10', '2', 'deep/1'])
      await files.remove(['x', 'xy/1'])
      assert.deepEqual(await files.list('x'), [])
      assert.deepEqual(await files.list('xy'), [])
      assert.deepEqual(await files.list('x.p'), ['x.p/1'])
    })

    test('are replaced by exactly one of those who expect the same', async () => {
      const { files } = inFolder('replacing')
      const race = async (expected: string | undefined, round: string): Promise<string> => {
        const wanted = ['a', 'b', 'c', 'd'].map((one) => `${round} ${one}`)
        const outcomes = await Promise.allSettled(
          wanted.map((text) =>
            files.replace({
              ...fileOf('head', text),
              expected: expected === undefined ? undefined : bytesOf(expected),
            }),
          ),
        )
        assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
        for (const outcome of outcomes)
          assert.ok(outcome.status === 'fulfilled' || outcome.reason instanceof FileConflict)
        const now = await textOf(files, 'head')
        assert.equal(now, wanted[outcomes.findIndex(({ status }) => status === 'fulfilled')])
        return now ?? ''
      }
      const first = await race(undefined, 'first')
      await race(first, 'second')
      await assert.rejects(
        files.replace({ ...fileOf('head', 'late'), expected: bytesOf(first) }),
        FileConflict,
      )
    })

    test('refuse names that lead elsewhere', async () => {
      const { files } = inFolder('names')
      for (const path of ['../up', 'a/../b', '/root', 'a//b', '.hidden', 'a/', '', 'a\0b', 'ä'])
        await assert.rejects(files.put([fileOf(path, 'x')]), /is not the name of a file/, path)
    })

    test('of a writer become visible with the file that it replaces, and its appends are kept', async () => {
      const { files, other } = inFolder('writing')
      await using session = await opened.session()
      await using writer = await files.openWriter(session.query, 'head')
      await writer.cut('journal', 0)
      for (const [at, expected] of [undefined, 'head 0', 'head 1'].entries()) {
        const batch = {
          files: [fileOf(`tile/${at}`, `tile ${at}`), fileOf('edge', `edge ${at}`)],
          appended: fileOf('journal', `line ${at}\n`),
          replaced: {
            bytes: bytesOf(`head ${at}`),
            expected: expected === undefined ? undefined : bytesOf(expected),
          },
        }
        await publish(session, {
          writer,
          batch,
          prepared: async () => assert.equal(await textOf(other, 'head'), expected),
        })
        assert.equal(await textOf(other, 'head'), `head ${at}`)
        assert.equal(await textOf(other, `tile/${at}`), `tile ${at}`)
        assert.equal(await textOf(other, 'edge'), `edge ${at}`)
      }
      assert.equal(await textOf(other, 'journal'), 'line 0\nline 1\nline 2\n')
      assert.equal(await other.size('journal'), 21)
      assert.equal((await other.readRange('journal', { offset: 5, length: 4 }))?.toString(), '0\nli')
      assert.equal((await other.readRange('journal', { offset: 21, length: 4 }))?.toString(), '')
    })

    test('are continued by the next writer, from the length that it names', async () => {
      const { files } = inFolder('continuing')
      const write = async (length: number, line: string) => {
        await using session = await opened.session()
        await using writer = await files.openWriter(session.query, 'head')
        await writer.cut('journal', length)
        const replaced = { bytes: bytesOf(line), expected: await files.read('head') }
        await publish(session, { writer, batch: { files: [], appended: fileOf('journal', line), replaced } })
        return await textOf(files, 'journal')
      }
      assert.equal(await write(0, 'one.'), 'one.')
      assert.equal(await write(4, 'two.'), 'one.two.')
      assert.equal(await write(6, 'three.'), 'one.twthree.')
      assert.equal(await write(4, 'four.'), 'one.four.')
    })

    test('are not those of a writer whose successor has published', async () => {
      const { files } = inFolder('successor')
      await using firstSession = await opened.session()
      await using secondSession = await opened.session()
      await using first = await files.openWriter(firstSession.query, 'head')
      await first.cut('journal', 0)
      const batchOf = (by: string, expected: Uint8Array | undefined) => ({
        files: [fileOf('edge', `edge of ${by}`)],
        appended: fileOf('journal', `${by}\n`),
        replaced: { bytes: bytesOf(by), expected },
      })
      await publish(firstSession, { writer: first, batch: batchOf('first', undefined) })
      await using second = await files.openWriter(secondSession.query, 'head')
      await second.cut('journal', 6)
      await publish(secondSession, { writer: second, batch: batchOf('second', bytesOf('first')) })
      await assert.rejects(publish(firstSession, { writer: first, batch: batchOf('late', bytesOf('first')) }))
      assert.equal(await textOf(files, 'head'), 'second')
      assert.equal(await textOf(files, 'edge'), 'edge of second')
      assert.equal(await textOf(files, 'journal'), 'first\nsecond\n')
    })
  })
}
