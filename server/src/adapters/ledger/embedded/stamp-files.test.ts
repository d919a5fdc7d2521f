import assert from 'node:assert/strict'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { signCheckpoint } from '@millseal/proof'
import { makeTemporaryFolder } from '../../../../test/temporary-folder.ts'
import { createFolderFiles } from '../../files/folder.ts'
import { createStampFinder } from './find-stamps.ts'
import { appendStamps, copiedStamps, listStampFiles, readStampedSizes, readStampFile } from './stamp-files.ts'

const checkpointOf = (origin: string, size: number): Promise<string> =>
  signCheckpoint(
    { origin, size, root: new Uint8Array(32) },
    {
      key: { name: origin, keyId: new Uint8Array(4), publicKey: new Uint8Array(32) },
      sign: () => new Uint8Array(64),
    },
  )
const origin = 'mill.example/ledger/test'
const stampOf = async (authority: string, size: number, of = origin) => ({
  authority,
  checkpoint: await checkpointOf(of, size),
  token: Uint8Array.of(size % 256),
})

const openFiles = async () => {
  const folder = await makeTemporaryFolder()
  return {
    files: createFolderFiles(folder.path),
    path: folder.path,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

describe('the time stamps of a log', () => {
  test('are found by entry: the earliest of each authority, in any number of files', async () => {
    await using opened = await openFiles()
    const { files } = opened
    for (let size = 10; size <= 2_000; size += 10)
      // An authority is away for some time.
      await appendStamps(
        files,
        await Promise.all([
          stampOf('first', size),
          ...(size > 500 && size < 800 ? [] : [stampOf('second', size)]),
        ]),
      )
    assert.equal((await listStampFiles(files)).length, 12)
    const find = createStampFinder(files)
    for (let index = 0; index < 2_000; index += 1) {
      const found = await find({ origin, index })
      const size = index - (index % 10) + 10
      const expected = await Promise.all([
        stampOf('first', size),
        stampOf('second', size > 500 && size < 800 ? 800 : size),
      ])
      assert.deepEqual(found, expected, `entry ${index}`)
    }
    assert.deepEqual(await find({ origin, index: 2_000 }), [])
    assert.deepEqual(
      await readStampedSizes(files, origin),
      new Map([
        ['first', 2_000],
        ['second', 2_000],
      ]),
    )
  })

  test('are found without listing the folder again, also those that another process adds', async () => {
    await using opened = await openFiles()
    const { files } = opened
    let listed = 0
    const counted = {
      ...files,
      list: async (folder?: string) => {
        listed += 1
        return files.list(folder)
      },
    }
    const find = createStampFinder(counted)
    assert.deepEqual(await find({ origin, index: 0 }), [])
    for (let size = 1; size <= 200; size += 1) await appendStamps(files, [await stampOf('first', size)])
    for (const index of [199, 0, 64, 150, 199])
      assert.deepEqual(await find({ origin, index }), [await stampOf('first', index + 1)])
    await appendStamps(files, [await stampOf('first', 201)])
    assert.deepEqual(await find({ origin, index: 200 }), [await stampOf('first', 201)])
    assert.equal(listed, 1)
  })

  test('of an earlier name of the log are not those of its present name', async () => {
    await using opened = await openFiles()
    const { files } = opened
    await appendStamps(files, [await stampOf('first', 900), await stampOf('first', 5, `${origin}/2`)])
    assert.deepEqual(await createStampFinder(files)({ origin: `${origin}/2`, index: 5 }), [])
    assert.deepEqual(await createStampFinder(files)({ origin, index: 5 }), [await stampOf('first', 900)])
    assert.deepEqual(await readStampedSizes(files, `${origin}/2`), new Map([['first', 5]]))
  })

  test('are copied with the log, up to its size', async () => {
    await using opened = await openFiles()
    const { files } = opened
    for (let size = 1; size <= 40; size += 1) await appendStamps(files, [await stampOf('first', size)])
    await using other = await openFiles()
    for await (const file of copiedStamps(files, 35)) await other.files.put([file])
    assert.deepEqual(await readStampFile(other.files, 1), await readStampFile(files, 1))
    assert.deepEqual(await readStampedSizes(other.files, origin), new Map([['first', 35]]))
  })

  test('are read although a line is damaged or unfinished', async () => {
    await using opened = await openFiles()
    const { files, path } = opened
    assert.deepEqual(await createStampFinder(files)({ origin, index: 0 }), [])
    await appendStamps(files, [await stampOf('first', 1)])
    await appendFile(join(path, 'stamps/1'), '{"authority":"first","checkpoint":"a\n[]\n{"authority":"fi')
    assert.deepEqual(await createStampFinder(files)({ origin, index: 0 }), [await stampOf('first', 1)])
  })
})
