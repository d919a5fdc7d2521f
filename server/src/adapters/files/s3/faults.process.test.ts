import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { generousMs } from '../../../../test/eventually.ts'
import {
  type Asked,
  type Fault,
  type FaultyS3,
  lacksS3,
  s3PlaceAt,
  startFaultyS3,
  startS3,
  type TestS3,
} from '../../../../test/s3-server.ts'
import type { Database } from '../../../ports/database/database.ts'
import { FileConflict, type Files, FilesUnavailable } from '../../../ports/files/files.ts'
import { addressOf } from './requests.ts'
import { createS3Files } from './s3.ts'

const limits = { attempts: 3, pauseMs: 1 }
/** For a store that never answers. */
const shortMs = 300
const placeless = { ...s3PlaceAt('', ''), bucket: 'mill' }
const fileOf = (name: string, text: string) => ({ name, bytes: Buffer.from(text) })

describe('files in an S3 store with faults', { skip: await lacksS3() }, () => {
  let server: TestS3
  let proxy: FaultyS3
  let database: Database & AsyncDisposable
  before(async () => {
    server = await startS3()
    proxy = await startFaultyS3(server)
    database = await openTestDatabase()
  })
  after(async () => {
    for (const one of [proxy, server, database]) await one[Symbol.asyncDispose]()
  })
  /** Through the proxy with its faults, and without it. */
  const open = (prefix: string, attemptMs = generousMs): { files: Files; direct: Files } => {
    proxy.fault = () => undefined
    return {
      files: createS3Files({ ...server.placeOf(prefix, proxy.address), limits: { ...limits, attemptMs } }),
      direct: createS3Files(server.placeOf(prefix)),
    }
  }
  /** The first requests that match have this fault. */
  const failFirst = (count: number, fault: Fault, matches: (asked: Asked) => boolean): void => {
    let left = count
    proxy.fault = (asked) => {
      if (left === 0 || !matches(asked)) return undefined
      left -= 1
      return fault
    }
  }
  const isWriteOf =
    (name: string) =>
    ({ method, key }: Asked): boolean =>
      method === 'PUT' && key.endsWith(`/${name}`)
  const isReadOf =
    (name: string) =>
    ({ method, key }: Asked): boolean =>
      method === 'GET' && key.endsWith(`/${name}`)

  for (const fault of [500, 503, 429, 409, 'lost'] as const)
    test(`are written once although two attempts in a row end with ${fault}`, async () => {
      const { files, direct } = open(`write-${fault}`)
      failFirst(2, fault, isWriteOf('head'))
      await files.replace({ ...fileOf('head', 'first'), expected: undefined })
      failFirst(2, fault, isWriteOf('head'))
      await files.replace({ ...fileOf('head', 'second'), expected: Buffer.from('first') })
      failFirst(2, fault, isWriteOf('tile'))
      await files.put([fileOf('tile', 'hashes')])
      assert.equal((await direct.read('head'))?.toString(), 'second')
      assert.equal((await direct.read('tile'))?.toString(), 'hashes')
    })

  test('are never read by halves', async () => {
    const { files, direct } = open('halves')
    const bytes = Buffer.alloc(200_000, 'entry')
    await direct.put([{ name: 'tile', bytes }])
    failFirst(2, 'cut', isReadOf('tile'))
    assert.ok((await files.read('tile'))?.equals(bytes))
    failFirst(2, 'cut', isReadOf('tile'))
    assert.equal((await files.readRange('tile', { offset: 5, length: 100_000 }))?.length, 100_000)
    failFirst(Infinity, 'cut', isReadOf('tile'))
    await assert.rejects(files.read('tile'), FilesUnavailable)
  })

  test('are unavailable, with the reason and without the secret, if nothing helps', async () => {
    const { files } = open('down')
    failFirst(Infinity, 503, () => true)
    await assert.rejects(files.put([fileOf('tile', 'x')]), (error: Error) => {
      assert.ok(error instanceof FilesUnavailable)
      assert.match(error.message, /PUT down\/\S+ in 3 attempts: it answered 503/)
      assert.doesNotMatch(JSON.stringify(error) + error.message, /secret-of-tests/)
      return true
    })
    const { files: silent } = open('silent', shortMs)
    failFirst(Infinity, 'silent', () => true)
    await assert.rejects(silent.read('tile'), FilesUnavailable)
  })

  test('are not replaced by an answer of 412, even if the file is the expected one', async () => {
    const { files, direct } = open('refused')
    await files.put([fileOf('head', 'first')])
    failFirst(1, 412, isWriteOf('head'))
    await assert.rejects(
      files.replace({ ...fileOf('head', 'second'), expected: Buffer.from('first') }),
      FileConflict,
    )
    assert.equal((await direct.read('head'))?.toString(), 'first')
  })

  test('are not replaced by a write that arrives after the next writer has begun', async () => {
    const { files, direct } = open('late', shortMs)
    const openWriter = (of: Files) => of.openWriter(database.query, 'head')
    const batchOf = (by: string, expected: string | undefined) => ({
      files: [fileOf('tile', `tile of ${by}`)],
      appended: fileOf('journal', `${by}\n`),
      replaced: {
        bytes: Buffer.from(by),
        expected: expected === undefined ? undefined : Buffer.from(expected),
      },
    })
    await using first = await openWriter(files)
    await first.cut('journal', 0)
    await (await first.prepare(batchOf('one', undefined))).publish()
    const late = await first.prepare({ ...batchOf('late', 'one'), files: [fileOf('next', 'of late')] })
    // The store has it, but does it only after the next writer has begun.
    failFirst(Infinity, 'silent', isWriteOf('head'))
    await assert.rejects(late.publish(), FilesUnavailable)
    await using second = await openWriter(direct)
    assert.equal((await direct.read('head'))?.toString(), 'one')
    await second.cut('journal', 4)
    await proxy.release()
    assert.equal((await direct.read('head'))?.toString(), 'one')
    // The same bytes as those that the first writer left: a write of the first one that comes now still has no effect.
    proxy.fault = () => undefined
    const next = { ...batchOf('two', 'one'), files: [fileOf('next', 'of late')] }
    await (await second.prepare(next)).publish()
    await assert.rejects(
      first.prepare({ ...batchOf('late', 'one'), files: [fileOf('next', 'other')] }),
      FileConflict,
    )
    assert.equal((await direct.read('next'))?.toString(), 'of late')
    assert.equal((await direct.read('head'))?.toString(), 'two')
    assert.equal((await direct.read('journal'))?.toString(), 'one\ntwo\n')
  })

  test('that grow are read whole over many parts, whatever an earlier writer left behind them', async () => {
    const { files, direct } = open('parts')
    const openWriter = (of: Files) => of.openWriter(database.query, 'head')
    const line = (at: number): string => `${String(at).padStart(9_999, '.')}\n`
    let text = ''
    for (const term of [1, 2]) {
      await using writer = await openWriter(files)
      await writer.cut('journal', text.length)
      for (let at = 0; at < 5; at += 1) {
        const added = line(term * 10 + at)
        const replaced = { bytes: Buffer.from(`${term} ${at}`), expected: await files.read('head') }
        const ready = await writer.prepare({ files: [], appended: fileOf('journal', added), replaced })
        await ready.publish()
        text += added
      }
      assert.equal((await direct.read('journal'))?.toString(), text)
      assert.equal(await direct.size('journal'), text.length)
      // The next writer begins before the last lines.
      text = text.slice(0, 30_000)
    }
    assert.equal((await direct.readRange('journal', { offset: 32_760, length: 20 }))?.length, 20)
    assert.deepEqual(await direct.list('x'), [])
  })

  test('are refused in a store that ignores conditions', async () => {
    const { files, direct } = open('careless')
    proxy.fault = ({ isConditional }) => (isConditional ? 200 : undefined)
    await assert.rejects(files.put([fileOf('tile', 'x')]), /ignores If-None-Match or If-Match/)
    assert.equal(await direct.read('tile'), undefined)
  })
})

describe('addresses in an S3 store', () => {
  test('have the bucket in the path or in the host', () => {
    const bucket = { ...placeless, endpoint: 'https://s3.example.com:9000' }
    assert.equal(addressOf(bucket, 'a/b').href, 'https://s3.example.com:9000/mill/a/b')
    assert.equal(addressOf(bucket, '').href, 'https://s3.example.com:9000/mill')
    const virtual = { ...bucket, isVirtualHost: true }
    assert.equal(addressOf(virtual, 'a/b').href, 'https://mill.s3.example.com:9000/a/b')
    assert.equal(addressOf(virtual, '').href, 'https://mill.s3.example.com:9000/')
  })
})
