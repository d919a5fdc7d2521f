import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { encodePng } from '../../../pdf/testing/png.ts'
import { animatedPng, smallPng } from './small-png.ts'

const size = 40
/** Five colours in stripes, then more shades than a palette has. */
const sampleAt = (x: number, y: number): number[] =>
  y < 20
    ? ([
        [0, 0, 0],
        [255, 255, 255],
        [16, 118, 106],
        [179, 38, 30],
        [36, 99, 179],
      ][x % 5] ?? [])
    : [100 + x, 100 + y, 50]

const chunkOf = (png: Buffer, type: string): Buffer => {
  const at = png.indexOf(type, 8, 'latin1')
  return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))
}

test('a small PNG keeps frequent colours exactly and all others nearly, in every filter of rows', () => {
  const png = smallPng(encodePng({ width: size, height: size, depth: 8, colour: 2, sampleAt }))
  const palette = chunkOf(png, 'PLTE')
  const rows = inflateSync(chunkOf(png, 'IDAT'))
  assert.ok(palette.length <= 3 * 256)
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const at = 3 * (rows[y * (size + 1) + 1 + x] ?? 0)
      const allowed = y < 20 ? 0 : 16
      for (const [channel, sample] of sampleAt(x, y).entries())
        assert.ok(Math.abs((palette[at + channel] ?? 0) - sample) <= allowed, `${x}, ${y}`)
    }
})

test('an animated PNG has the rows of each picture, of which old browsers show the first', () => {
  const one = encodePng({ width: size, height: size, depth: 8, colour: 2, sampleAt })
  const other = encodePng({ width: size, height: size, depth: 8, colour: 2, sampleAt: () => [9, 8, 7] })
  const png = animatedPng([one, other], 2)
  const types = [...png.toString('latin1').matchAll(/acTL|fcTL|fdAT|IDAT|IEND/g)].map(([type]) => type)
  assert.deepEqual(types, ['acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'])
  assert.equal(inflateSync(chunkOf(png, 'IDAT')).length, size * (size + 1))
  const rows = inflateSync(chunkOf(png, 'fdAT').subarray(4))
  assert.equal(rows.length, size * (size + 1))
  assert.equal(new Set(rows.filter((_byte, at) => at % (size + 1) !== 0)).size, 1)
})
