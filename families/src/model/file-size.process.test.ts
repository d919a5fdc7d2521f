import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTool } from '@millseal/pdf/testing'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { renderHtml } from '../html/render-html.ts'
import { openFonts } from '../pdf/fonts.ts'
import { drawDocument } from '../pdf/page/draw-document.ts'
import { wordsIn } from '../pdf/testing/words.ts'
import { ownEntries } from '../registry/own-schemas.ts'
import { toDocument } from '../to-document.ts'
import { fileSize } from './file-size.ts'

test('the size of a file has the decimal sign of the language', () => {
  const sizes = [0, 999, 1_000, 1_749, 999_949, 999_950, 12_340_000]
  assert.deepEqual(
    sizes.map((size) => fileSize(size, ['de', 'en'])),
    ['0 B', '999 B', '1 kB', '1,7 kB', '999,9 kB', '1 MB', '12,3 MB'],
  )
  for (const language of ['en', 'zh']) assert.equal(fileSize(1_749, [language]), '1.7 kB')
  for (const language of ['fr', 'es', 'it', 'pl', 'tr']) assert.equal(fileSize(1_749, [language]), '1,7 kB')
})

test('a German certificate has it with a comma on the page and on paper', async (t) => {
  const certificateBytes = Buffer.from(JSON.stringify(families[0]?.samples[0]))
  const certificate = readCertificate(certificateBytes)
  const entry = ownEntries([]).find(({ urls }) => urls.includes(certificate.refSchemaUrl))
  assert.ok(entry)
  const document = {
    ...toDocument(certificate, entry),
    languages: ['de'],
    files: [
      {
        name: 'drawing.pdf',
        type: 'application/pdf',
        base64: Buffer.alloc(1_749).toString('base64'),
      },
    ],
  }
  const verifiable = { mode: 'live', hash: certificate.hash, verifyUrl: 'https://mill.example/v/A' } as const
  assert.match(renderHtml(document, verifiable), />1,7 kB</)
  if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
  const request = { ...verifiable, document, isDraft: false, certificateBytes } as const
  const words = await wordsIn(await drawDocument(request, { fonts: openFonts(), accent: undefined }))
  assert.match(words.map(({ text }) => text).join(' '), /application\/pdf · 1,7 kB/)
})
