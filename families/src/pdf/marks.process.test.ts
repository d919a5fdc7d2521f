import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { pixel } from '../../test/invented-certificate.ts'
import { applyLook } from '../look/apply-look.ts'
import { openFonts } from './fonts.ts'
import { drawDocument } from './page/draw-document.ts'
import { colour } from './page/look.ts'
import type { PdfRequest } from './request.ts'
import { sampleDocument, sampleRequest } from './testing/document.ts'
import { textsOf } from './testing/read-back.ts'
import { findTool } from '@millseal/pdf/testing'

const fonts = openFonts()

const draw = async (request: PdfRequest): Promise<Uint8Array> =>
  drawDocument(request, { fonts, accent: '#2f6b2f' })

const pagesOf = async (request: PdfRequest): Promise<string[]> => {
  const [text = ''] = await textsOf([await draw(request)])
  return text.split('\f').slice(0, -1)
}

/** The operators of all pages. */
const operatorsOf = (pdf: Uint8Array): string => {
  const file = Buffer.from(pdf)
  const streams = [...file.toString('latin1').matchAll(/<<\/Filter \/FlateDecode\/Length (\d+)>>\nstream\n/g)]
  return streams
    .map((found) => {
      const start = found.index + found[0].length
      return inflateSync(file.subarray(start, start + Number(found[1]))).toString('latin1')
    })
    .join('\n')
}

test('a draft and a certificate of test mode say so on every page, a live one says neither', async (t) => {
  if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
  const request = sampleRequest(sampleDocument(90))
  const [draft, isTest] = [/Draft: not notarized/, /Made in test mode/]
  for (const { mode, isDraft } of [
    { mode: 'live', isDraft: false },
    { mode: 'live', isDraft: true },
    { mode: 'test', isDraft: false },
    { mode: 'test', isDraft: true },
  ] as const) {
    const pages = await pagesOf({ ...request, mode, isDraft })
    assert.ok(pages.length > 1)
    for (const page of pages) {
      assert.equal(draft.test(page), isDraft)
      assert.equal(isTest.test(page), mode === 'test')
    }
    const across =
      operatorsOf(await draw({ ...request, mode, isDraft })).split('/Subtype /Watermark').length - 1
    assert.equal(across, isDraft || mode === 'test' ? pages.length : 0)
  }
})

test('the whole hash and the address are on every page, each on one line', async (t) => {
  if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
  const request = {
    ...sampleRequest(sampleDocument(90)),
    verifyUrl: 'https://mill.example/v/AbCdEfGhIjKlMnOpQrStUv',
  }
  for (const page of await pagesOf(request)) {
    assert.match(page, /^SHA-256(?: [0-9a-f]{8}){8}$/m)
    assert.match(page, /^https:\/\/mill\.example\/v\/AbCdEfGhIjKlMnOpQrStUv$/m)
  }
})

test('a look gives the accent, the logo and a footer on every page', async (t) => {
  if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
  const plain = sampleRequest(sampleDocument(90))
  const { logo: _, ...withoutLogo } = plain.document
  const document = applyLook(withoutLogo, {
    accent: '#a4262c',
    footer: { en: 'Example Mill, registered in Exampleton' },
    logo: { use: 'missing', picture: { type: 'image/png', base64: pixel() } },
  })
  for (const page of await pagesOf({ ...plain, document }))
    assert.match(page, /^Example Mill, registered in Exampleton$/m)
  const [own, usual] = [await draw({ ...plain, document }), await draw(plain)]
  assert.ok(operatorsOf(own).includes(`${colour('#a4262c')} rg`))
  assert.ok(!operatorsOf(own).includes(`${colour('#2f6b2f')} rg`))
  assert.ok(operatorsOf(usual).includes(`${colour('#2f6b2f')} rg`))
  assert.match(Buffer.from(own).toString('latin1'), /\/Subtype \/Image/)
})
