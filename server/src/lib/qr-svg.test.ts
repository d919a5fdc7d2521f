import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import jsQr from 'jsqr'
import { encodeQR } from 'qr'
import { qrSvg } from './qr-svg.ts'

const uri =
  'otpauth://totp/Millseal:anna%40example.com?issuer=Millseal&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30'

/** Fills the dark modules as a renderer would. */
const modulesOf = (svg: string): boolean[][] => {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const drawn = /fill="#000" d="([^"]*)"/.exec(svg)?.[1] ?? ''
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of drawn.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    modules[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))
  }
  return modules
}

const photograph = (modules: boolean[][], scale: number) => {
  const size = modules.length * scale
  const data = new Uint8ClampedArray(size * size * 4).fill(255)
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true) {
        data.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3)
      }
    }
  }
  return { width: size, height: size, data }
}

const read = 'default' in jsQr ? jsQr.default : jsQr

describe('a QR code as SVG', () => {
  test('can be read by another library', () => {
    for (const text of [uri, 'M', 'https://example.com/verify?hash='.padEnd(300, 'a0')]) {
      const { width, height, data } = photograph(modulesOf(qrSvg(text)), 4)
      assert.equal(read(data, width, height)?.data, text)
    }
  })

  test('has the modules of the encoder, with a margin of four', () => {
    const modules = modulesOf(qrSvg(uri))
    assert.deepEqual(modules, encodeQR(uri, 'raw', { ecc: 'medium', border: 4 }))
    assert.ok(modules.slice(0, 4).every((row) => !row.includes(true)))
    assert.equal(modules[4]?.[4], true)
  })

  test('has three elements, is black on white and has no fixed size', () => {
    const svg = qrSvg(uri)
    assert.match(
      svg,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1" [^>]*><path fill="#fff" d="M0 0h\1v\1H0z"\/><path fill="#000" d="[^"<>]+"\/><\/svg>$/,
    )
    assert.ok(!svg.includes('GEZDGNBV'))
  })
})
