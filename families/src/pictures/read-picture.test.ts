import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { inEnglish } from '@millseal/contract/reasons'
import { forgedPng } from '../../test/forged-png.ts'
import { pixel } from '../../test/invented-certificate.ts'
import { readPicture } from './read-picture.ts'

const png = Buffer.from(pixel(), 'base64')
const flaw = (bytes: Buffer | string): string | undefined => {
  const read = readPicture(typeof bytes === 'string' ? bytes : bytes.toString('base64'))
  return 'flaw' in read ? inEnglish(read.flaw) : undefined
}

const jpeg = (...segments: readonly (readonly [marker: number, body: readonly number[]])[]): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...segments.map(([marker, body]) => Buffer.from([0xff, marker, 0, body.length + 2, ...body])),
    Buffer.from([0x11, 0x22, 0xff, 0xd9]),
  ])
const frame = (height: number, width: number, marker = 0xc0) =>
  [marker, [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]] as const
/** The tables for decoding, which a JPEG needs. */
const tables = [
  [0xdb, [0]],
  [0xc4, [0]],
] as const
const scan = [0xda, [1, 1, 0, 0, 63, 0]] as const

describe('readPicture', () => {
  test('accepts PNG and JPEG as Base64 or as a data URL, with line breaks', () => {
    const base64 = pixel()
    assert.deepEqual(readPicture(base64), { type: 'image/png', base64 })
    const wrapped = `data:image/png;base64, ${base64.slice(0, 20)}\n${base64.slice(20)}`
    assert.deepEqual(readPicture(wrapped), { type: 'image/png', base64 })
    const photo = jpeg(...tables, frame(2, 3), scan).toString('base64')
    assert.deepEqual(readPicture(`data:image/jpeg;base64,${photo}`), { type: 'image/jpeg', base64: photo })
  })

  test('detects the type by the bytes, not by the data URL', () => {
    assert.deepEqual(readPicture(`data:image/jpeg;base64,${pixel()}`), { type: 'image/png', base64: pixel() })
    assert.deepEqual(readPicture(`data:text/html;base64,${pixel()}`), { type: 'image/png', base64: pixel() })
  })

  test('rejects SVG and everything that is not a PNG or JPEG', () => {
    assert.match(flaw('data:image/svg+xml;base64,PHN2Zy8+') ?? '', /SVG/)
    assert.match(flaw(Buffer.from('<svg onload="x"/>')) ?? '', /neither PNG nor JPEG/)
    assert.match(flaw('') ?? '', /empty/)
    assert.match(flaw('data:image/png;base64,') ?? '', /empty/)
    assert.match(flaw('no base64 at all!') ?? '', /not valid Base64/)
    assert.match(flaw('https://example.org/logo.png') ?? '', /not valid Base64/)
    assert.match(flaw('A'.repeat(6_000_000)) ?? '', /larger than/)
  })

  test('rejects a PNG that is cut off or damaged at any byte', () => {
    for (let length = 1; length < png.length; length += 1) {
      assert.notEqual(flaw(png.subarray(0, length)), undefined, `cut at ${length}`)
    }
    for (let at = 0; at < png.length; at += 1) {
      const damaged = Buffer.from(png)
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at)
      assert.notEqual(flaw(damaged), undefined, `damaged at ${at}`)
    }
  })

  test('answers the same for a PNG that it remembers, and for another one with the same header', () => {
    const size = { width: 100, height: 100 }
    const whole = forgedPng({ ...size, data: deflateSync(Buffer.alloc(10_100)) })
    const short = forgedPng({ ...size, data: deflateSync(Buffer.alloc(10_099)) })
    for (let time = 0; time < 2; time += 1) {
      assert.equal(flaw(whole), undefined)
      assert.match(flaw(short) ?? '', /before its last pixel/)
    }
  })

  test('rejects a PNG whose data does not match its header', () => {
    assert.match(flaw(forgedPng({ width: 100, height: 100 })) ?? '', /before its last pixel/)
    assert.match(flaw(forgedPng({ data: Buffer.from('nonsense') })) ?? '', /does not decompress/)
    assert.match(
      flaw(forgedPng({ data: deflateSync(Buffer.alloc(20_000_000)) })) ?? '',
      /does not decompress/,
    )
    assert.match(flaw(forgedPng({ width: 60_000, height: 60_000 })) ?? '', /larger than 8192/)
    assert.match(
      flaw(forgedPng({ width: 8_000, height: 8_000, depth: 16, color: 6 })) ?? '',
      /too many pixels/,
    )
    assert.match(flaw(forgedPng({ depth: 3 })) ?? '', /header/)
    assert.match(flaw(forgedPng({ color: 5 })) ?? '', /header/)
    assert.match(flaw(forgedPng({ color: 3 })) ?? '', /no palette/)
    assert.match(flaw(forgedPng({ width: 0 })) ?? '', /header/)
  })

  test('rejects a JPEG that is cut off, or without a frame that viewers support', () => {
    const good = jpeg(...tables, frame(2, 3), scan)
    for (let length = 2; length < good.length - 2; length += 1) {
      assert.notEqual(flaw(good.subarray(0, length)), undefined, `cut at ${length}`)
    }
    assert.match(flaw(jpeg(...tables, scan)) ?? '', /damaged/)
    assert.match(flaw(jpeg(frame(2, 3), scan)) ?? '', /damaged/)
    const empty = Buffer.concat([good.subarray(0, -4), Buffer.from([0xff, 0xd9])])
    assert.match(flaw(empty) ?? '', /before its first pixel/)
    assert.match(flaw(jpeg(frame(0, 3), scan)) ?? '', /no size/)
    assert.match(flaw(jpeg(frame(9_000, 3), scan)) ?? '', /larger than/)
    assert.match(flaw(jpeg(frame(2, 3, 0xc3), scan)) ?? '', /damaged/)
  })
})
