import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsQr from 'jsqr'
import { type QrCode, qrCode } from './qr.ts'

const scale = 4

/** The code as a camera sees it, with a white margin. */
const photograph = ({ size, rectangles }: QrCode) => {
  const side = (size + 8) * scale
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const { x, y, width } of rectangles) {
    for (let row = 0; row < scale; row += 1) {
      const from = ((y + 4) * scale + row) * side + (x + 4) * scale
      for (let pixel = from; pixel < from + width * scale; pixel += 1) data.fill(0, 4 * pixel, 4 * pixel + 3)
    }
  }
  return { width: side, height: side, data }
}

const read = 'default' in jsQr ? jsQr.default : jsQr

test('an independent reader decodes the QR code', () => {
  for (const text of ['M', `https://millseal.example/verify/${'4f1a9c'.repeat(20)}`]) {
    const { width, height, data } = photograph(qrCode(text))
    assert.equal(read(data, width, height)?.data, text)
  }
})
