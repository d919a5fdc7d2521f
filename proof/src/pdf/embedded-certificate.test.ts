import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { extractEmbeddedCertificate } from './embedded-certificate.ts'

const certificate = '{"RefSchemaUrl":"https://example.com/schema.json","a":1}'
const compressed = deflateSync(certificate)

type Parts = {
  readonly dictionary?: string
  readonly data?: Buffer
  readonly length?: string
  readonly number?: number
}

const object = ({ dictionary = '', data = compressed, length, number = 7 }: Parts = {}): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${number} 0 obj\n<< /Type /EmbeddedFile /Subtype /application#2Fjson ${dictionary} /Length ${length ?? data.length} >>\nstream\n`,
    ),
    data,
    Buffer.from('\nendstream\nendobj\n'),
  ])

const pdf = (...parts: (Uint8Array | string)[]): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts.map((part) => Buffer.from(part))]))

const flate = '/Filter /FlateDecode'
const extract = async (file: Uint8Array): Promise<string | undefined> => {
  const found = await extractEmbeddedCertificate(file)
  return found === undefined ? undefined : new TextDecoder().decode(found)
}

describe('the certificate inside a PDF', () => {
  test('is found compressed, uncompressed, and with an indirect length', async () => {
    assert.equal(await extract(pdf(object({ dictionary: flate }))), certificate)
    assert.equal(await extract(pdf(object({ dictionary: '/Filter [ /FlateDecode ]' }))), certificate)
    assert.equal(await extract(pdf(object({ data: Buffer.from(certificate) }))), certificate)
    assert.equal(await extract(pdf(object({ dictionary: flate, length: '9 0 R' }))), certificate)
    assert.equal(await extract(pdf(object({ dictionary: flate, length: '3' }))), certificate)
  })

  test('is the file with its name, even if other JSON is attached before it', async () => {
    const other = object({ data: Buffer.from('{"other":1}'), number: 5 })
    const name = '9 0 obj << /Type /Filespec /F (certificate.json) /EF << /F 7 0 R >> >> endobj\n'
    assert.equal(await extract(pdf(other, object({ dictionary: flate }), name)), certificate)
    assert.equal(await extract(pdf(other, object({ dictionary: flate }))), '{"other":1}')
  })

  test('is undefined without a JSON object, with an unknown filter, and outside a PDF', async () => {
    for (const file of [
      pdf(),
      pdf(object({ data: Buffer.from('[1]') })),
      pdf(object({ dictionary: '/Filter [ /ASCIIHexDecode /FlateDecode ]' })),
      pdf(object({ dictionary: `${flate} /DecodeParms << /Predictor 12 >>` })),
      pdf(object({ dictionary: flate, data: compressed.subarray(0, 20) })),
      pdf(Buffer.from(object().toString('latin1').replace('/application#2Fjson', '/text#2Fplain'), 'latin1')),
      object({ dictionary: flate }),
      new Uint8Array(0),
    ]) {
      assert.equal(await extract(file), undefined)
    }
  })

  test('is searched within limits: compression bombs, many streams, large files', async () => {
    const bomb = deflateSync(Buffer.alloc(200_000_000, ' '), { level: 9 })
    const crowd = object({ dictionary: flate, length: '99', data: Buffer.from('{') })
    const mebibyte = 1_024 * 1_024
    for (const file of [
      pdf(object({ dictionary: flate, data: bomb })),
      pdf(...Array.from({ length: 5_000 }, () => crowd.subarray(0, -19))),
      pdf('/EmbeddedFile '.repeat(mebibyte)),
      pdf('/'.repeat(31 * mebibyte)),
      pdf(`/F (certificate.json)${' '.repeat(31 * mebibyte)}`),
      pdf(object({ dictionary: flate }), ' '.repeat(33 * mebibyte)),
    ]) {
      assert.equal(await extract(file), undefined)
    }
  })

  test('never throws, whatever is damaged', async () => {
    const whole = pdf(object({ dictionary: flate }), '9 0 obj << /F (certificate.json) /EF << /F 7 0 R >> >>')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), { maxLength: 8 }),
        fc.nat({ max: whole.length }),
        async (changes, cut) => {
          const damaged = whole.slice()
          for (const [at, byte] of changes) damaged[at] = byte
          const found = await extractEmbeddedCertificate(damaged.subarray(0, cut))
          assert.ok(found === undefined || found instanceof Uint8Array)
        },
      ),
      { numRuns: 300 },
    )
  })
})
