import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  applyLook,
  createRegistry,
  families,
  readCertificate,
  renderHtml,
  toDocument,
} from '@millseal/families'
import type { Browser } from 'playwright-core'
import { qrSvg } from '../lib/qr-svg.ts'
import { findChromium, launchChromium } from '../../test/chromium.ts'

const executable = findChromium()
const skip = executable === undefined ? 'there is no chromium on this machine' : false
let browser: Browser
before(async () => {
  if (executable !== undefined) browser = await launchChromium(executable)
})
after(() => browser?.close())

const registry = createRegistry({ log: { warn: assert.fail } })

/** A page of each family, some with the accent of a company. */
const pages = async (): Promise<string[]> => {
  const samples = families.flatMap((family) => family.samples)
  return Promise.all(
    samples.map(async (sample, index) => {
      const certificate = readCertificate(Buffer.from(JSON.stringify(sample)))
      const entry = await registry.find(certificate.refSchemaUrl)
      assert.ok(entry)
      const look = index % 2 === 0 ? { accent: '#a4262c', footer: { en: 'Example Mill' } } : {}
      const verifyUrl = 'https://mill.example/v/AbCdEfGhIjKlMnOpQrStUv'
      return renderHtml(applyLook(toDocument(certificate, entry), look), {
        mode: index % 3 === 0 ? 'test' : 'live',
        hash: certificate.hash,
        verifyUrl,
        qrSvg: qrSvg(verifyUrl),
      })
    }),
  )
}

/** WCAG 2.2 §1.4.3: the texts with too little contrast to what is behind them. Runs in the page. */
const paleTexts = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const channels = (color) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const backgroundOf = (element) => {
    const { backgroundColor } = getComputedStyle(element)
    return channels(backgroundColor)[3] === 0 && element.parentElement ? backgroundOf(element.parentElement) : backgroundColor
  }
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  return [...document.querySelectorAll('main *')].filter(hasText).flatMap((element) => {
    const [dark, light] = [getComputedStyle(element).color, backgroundOf(element)].map(luminance).sort((a, b) => a - b)
    const contrast = (light + 0.05) / (dark + 0.05)
    return contrast < 4.5 ? [contrast.toFixed(2) + ' ' + element.className + ' ' + element.textContent.slice(0, 30)] : []
  })
})()`

describe('the page of a certificate', { skip }, () => {
  test('can be read in light and dark, on a phone and on a desk', async () => {
    for (const html of await pages()) {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [360, 1_280]) {
          const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } })
          await page.setContent(html)
          assert.deepEqual(await page.evaluate<string[]>(paleTexts), [], `${colorScheme} ${width}`)
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth')
          assert.ok(overflow <= width, `${overflow} of ${width}`)
          await page.close()
        }
      }
    }
  })

  test('is printed in dark ink on white, whatever the screen looks like', async () => {
    const [html = ''] = await pages()
    const page = await browser.newPage({ colorScheme: 'dark' })
    await page.setContent(html)
    await page.emulateMedia({ media: 'print' })
    const colours =
      'getComputedStyle(document.body).color + getComputedStyle(document.querySelector(".page")).backgroundColor'
    assert.equal(await page.evaluate<string>(colours), 'rgb(22, 32, 43)rgb(255, 255, 255)')
    await page.close()
  })
})
