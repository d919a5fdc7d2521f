import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAtomic } from '@millseal/pdf'
import { allCertificates, leaves } from '../../test/all-certificates.ts'
import { languagesOf } from '../certificate/languages.ts'
import { printed } from '../certificate/shown.ts'
import { families } from '../families/index.ts'
import { toDocument } from '../to-document.ts'
import { openFonts } from './fonts.ts'
import { drawDocument } from './page/draw-document.ts'
import { liveRequest } from './testing/document.ts'
import { searchIn, textsOf } from './testing/read-back.ts'
import { findTool } from '@millseal/pdf/testing'

const isNumber = (leaf: string): boolean => isAtomic(leaf) && /\d/u.test(leaf)

test('every value of a certificate is whole on paper', async (t) => {
  if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
  const fonts = openFonts()
  const all = await allCertificates()
  assert.ok(families.every(({ name }) => all.some(({ entry }) => entry.family === name)))
  const pdfs: Uint8Array[] = []
  for (const { certificate, entry } of all) {
    const document = toDocument(certificate, entry)
    const request = liveRequest(certificate, document)
    pdfs.push(await drawDocument(request, { fonts, accent: undefined }))
  }
  const texts = await textsOf(pdfs)
  for (const [index, { certificate, entry }] of all.entries()) {
    const attached = toDocument(certificate, entry).files.map(({ base64 }) => base64)
    const found = searchIn(texts[index] ?? '')
    const missing = leaves(printed(certificate, languagesOf(certificate))).filter(
      ([, leaf]) => !found.isThere(leaf) && !attached.includes(leaf),
    )
    assert.deepEqual(missing, [], certificate.refSchemaUrl)
    const broken = leaves(printed(certificate, languagesOf(certificate))).filter(
      ([, leaf]) => isNumber(leaf) && !found.isAlone(leaf),
    )
    assert.deepEqual(broken, [], certificate.refSchemaUrl)
  }
})
