import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQr from 'jsqr'
import { qrDrawing } from './qr.ts'

const scale = 4

/** The code as a camera sees it, with a white margin. */
const photograph = (svg: string) => {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const side = (size + 8) * scale
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let row = 0; row < scale; row += 1) {
      const from = ((Number(y) + 4) * scale + row) * side + (Number(x) + 4) * scale
      for (let pixel = from; pixel < from + Number(length) * scale; pixel += 1)
        data.fill(0, 4 * pixel, 4 * pixel + 3)
    }
  }
  return { width: side, height: side, data }
}

const read = 'default' in jsQr ? jsQr.default : jsQr

test('an independent reader decodes the QR code', () => {
  for (const text of ['M', `https://millseal.example/verify/${'4f1a9c'.repeat(20)}`]) {
    const { width, height, data } = photograph(qrDrawing(text))
    assert.equal(read(data, width, height)?.data, text)
  }
})
