import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { findTool } from '@millseal/pdf/testing'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { ownEntries } from '../registry/own-schemas.ts'
import { toDocument } from '../to-document.ts'
import { openFonts } from './fonts.ts'
import { drawDocument } from './page/draw-document.ts'
import { type Word, wordsIn } from './testing/words.ts'

const folder = join(import.meta.dirname, 'golden')
const entries = ownEntries([])

const asLines = (words: readonly Word[]): string =>
  `${words.map(({ page, left, bottom, text }) => `${page} ${left.toFixed(1)} ${bottom.toFixed(1)} ${text}`).join('\n')}\n`

const fromLines = (lines: string): Word[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [page = '', left = '', bottom = '', ...text] = line.split(' ')
      return { page: Number(page), left: Number(left), bottom: Number(bottom), text: text.join(' ') }
    })

/** After a change of drawing: look at the pages, then run this test with `WRITE_GOLDEN=1` and review the difference. */
test('every family has each word of its sample where it was reviewed', async (t) => {
  if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
  const fonts = openFonts()
  for (const { name, samples, layout } of families) {
    const certificateBytes = Buffer.from(JSON.stringify(samples[0]))
    const certificate = readCertificate(certificateBytes)
    const entry = entries.find(({ urls }) => urls.includes(certificate.refSchemaUrl))
    assert.ok(entry)
    const document = toDocument(certificate, entry)
    const request = {
      document,
      mode: 'live',
      isDraft: false,
      certificateBytes,
      hash: certificate.hash,
      verifyUrl: 'https://mill.example/v/AbCdEfGhIjKlMnOpQrStUv',
    } as const
    const words = await wordsIn(await drawDocument(request, { fonts, accent: layout.accent }))
    const path = join(folder, `${name}.txt`)
    if (process.env['WRITE_GOLDEN'] === '1') {
      await mkdir(folder, { recursive: true })
      await writeFile(path, asLines(words))
    }
    assert.ok(existsSync(path), `look at the PDF of ${name}, then run this test with WRITE_GOLDEN=1`)
    const reviewed = fromLines(await readFile(path, 'utf8'))
    assert.deepEqual(
      words.map(({ page, text }) => `${page} ${text}`),
      reviewed.map(({ page, text }) => `${page} ${text}`),
      name,
    )
    for (const [index, { left, bottom, text }] of words.entries()) {
      const before = reviewed[index]
      const moved = Math.hypot(left - (before?.left ?? 0), bottom - (before?.bottom ?? 0))
      assert.ok(moved <= 1, `${name}: "${text}" moved by ${moved.toFixed(1)} pt`)
    }
  }
})
