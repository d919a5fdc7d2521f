import assert from 'node:assert/strict'
import { deflateSync } from 'node:zlib'
import { describe, test } from 'node:test'
import { CertificateUnreadable, readCertificate } from '../certificate/read-certificate.ts'
import { takingTurns } from './fair-queue.ts'
import { createFileReader, type FileReaderOptions, ReadingRefused } from './file-reader.ts'

const open = (options: Partial<FileReaderOptions> = {}) => {
  const warnings: object[] = []
  const reader = createFileReader({
    workers: 1,
    nowMs: () => 0,
    log: { warn: (fields) => warnings.push(fields) },
    ...options,
  })
  return { reader, warnings }
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const small = bytesOf('{"RefSchemaUrl":"https://schemas.example/a.json"}')
/** The values of a certificate that are counted only when all of them have been read. */
const crowd = bytesOf(`{"a":[${'[[[[[[[[1]]]]]]]],'.repeat(50_000)}1]}`)
const bomb = deflateSync(Buffer.alloc(64 * 2 ** 20, ' '), { level: 9 }).toString('latin1')
const refusedFor = (reason: string) => (error: unknown) =>
  error instanceof ReadingRefused && error.reason === reason

describe('a certificate of somebody who is known', () => {
  test('is read in a thread, and is what the same bytes are here', async () => {
    const { reader } = open({ processorMsPerMinute: 1, maxWaitingPerClient: 1 })
    await using _closing = reader
    const text = '{"RefSchemaUrl":"https://schemas.example/a.json","a":[1.10,"text"]}'
    const large = bytesOf(text)
    const certificates = await Promise.all([1, 2, 3].map(() => reader.readCertificate(large)))
    for (const certificate of certificates) assert.deepEqual(certificate, readCertificate(large))
  })

  test('that cannot be read is refused as it is here', async () => {
    const { reader } = open()
    await using _closing = reader
    const unreadable = (error: unknown) => error instanceof CertificateUnreadable && error.pointer === '/a'
    await assert.rejects(reader.readCertificate(bytesOf('{"a":1e400}')), unreadable)
    const { reader: impatient } = open({ processorMs: 0 })
    await using _closingToo = impatient
    await assert.rejects(impatient.readCertificate(crowd), refusedFor('too_costly'))
  })
})

describe('a file of a stranger', () => {
  test('is read in a thread: a certificate, a PDF, and one that is neither', async () => {
    const { reader } = open()
    await using _closing = reader
    const read = await reader.read(small, 'a')
    assert.deepEqual([read.file, read.hash.length], ['json', 64])
    const pdf = await reader.read(bytesOf('%PDF-1.7\n%%EOF\n'), 'a')
    assert.deepEqual([pdf.file, pdf.file === 'pdf' && pdf.embedded], ['pdf', undefined])
    const unreadable = (error: unknown) => error instanceof CertificateUnreadable && error.pointer === '/a'
    await assert.rejects(reader.read(bytesOf('{"a":1e400}'), 'a'), unreadable)
    const bombed = bytesOf(
      `%PDF-1.7\n1 0 obj<</Type/EmbeddedFile/Filter/FlateDecode/Length ${bomb.length}>>stream\n${bomb}\nendstream endobj`,
    )
    assert.equal((await reader.read(bombed, 'a')).file, 'pdf')
  })

  test('that takes too much processor time is refused, and the thread is replaced', async () => {
    const { reader, warnings } = open({ processorMs: 0 })
    await using _closing = reader
    await assert.rejects(reader.read(crowd, 'a'), refusedFor('too_costly'))
    assert.deepEqual(warnings, [{ failure: 'timed_out', reason: 'More than 0 ms of processor time' }])
  })

  test('that takes too much memory is refused, and the next one is read', async () => {
    const { reader, warnings } = open({ maxHeapMegabytes: 24 })
    await using _closing = reader
    await assert.rejects(
      reader.read(bytesOf(`{"a":[${'[1],'.repeat(2_000_000)}1]}`), 'a'),
      refusedFor('too_costly'),
    )
    assert.equal((warnings[0] as { failure: string }).failure, 'crashed')
    assert.equal((await reader.read(small, 'a')).file, 'json')
  })
})

describe('a client', () => {
  test('whose files took the processor time of a minute waits for the next; others do not', async () => {
    let nowMs = 0
    const { reader } = open({ processorMsPerMinute: 1, nowMs: () => nowMs })
    await using _closing = reader
    await assert.rejects(reader.read(crowd, 'busy'), CertificateUnreadable)
    const refused = await reader.read(small, 'busy').catch((error: unknown) => error)
    assert.ok(refusedFor('too_many')(refused))
    assert.ok(refused instanceof ReadingRefused && refused.retryAfterSeconds === 60)
    assert.equal((await reader.read(small, 'quiet')).file, 'json')
    nowMs = 60_000
    assert.equal((await reader.read(small, 'busy')).file, 'json')
  })

  test('cannot let more than its share of files wait, and all clients not more than the limit', async () => {
    const { reader } = open({ maxWaitingPerClient: 2, maxWaiting: 3 })
    await using _closing = reader
    const accepted = [reader.read(small, 'a'), reader.read(small, 'a'), reader.read(small, 'a')]
    await assert.rejects(reader.read(small, 'a'), refusedFor('too_many'))
    accepted.push(reader.read(small, 'b'))
    await assert.rejects(reader.read(small, 'c'), refusedFor('busy'))
    for (const { file } of await Promise.all(accepted)) assert.equal(file, 'json')
  })

  test('takes turns with the others', () => {
    const queue = takingTurns<{ client: string; at: number }>()
    for (const at of [1, 2, 3]) queue.add({ client: 'a', at })
    queue.add({ client: 'b', at: 1 })
    queue.add({ client: 'c', at: 1 })
    assert.deepEqual([queue.size(), queue.sizeOf('a')], [5, 3])
    const order = Array.from({ length: 5 }, () => queue.next()).map((job) => `${job?.client}${job?.at}`)
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'a3'])
    assert.equal(queue.next(), undefined)
  })
})
