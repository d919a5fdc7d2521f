import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findTool } from '@millseal/pdf/testing'
import { allCertificates } from '../../test/all-certificates.ts'
import type { DocumentModel } from '../model/document.ts'
import { toDocument } from '../to-document.ts'
import { openFonts } from './fonts.ts'
import { drawDocument } from './page/draw-document.ts'
import { area } from './page/look.ts'
import { liveRequest } from './testing/document.ts'
import { type Word, wordsIn } from './testing/words.ts'

type Printed = { readonly name: string; readonly document: DocumentModel; readonly words: readonly Word[] }

const printAll = async (): Promise<readonly Printed[]> => {
  const fonts = openFonts()
  const printed: Printed[] = []
  for (const { certificate, entry } of await allCertificates()) {
    const document = toDocument(certificate, entry)
    const request = liveRequest(certificate, document)
    const words = await wordsIn(await drawDocument(request, { fonts, accent: undefined }))
    printed.push({ name: `${certificate.refSchemaUrl} ${document.number}`, document, words })
  }
  return printed
}

const bottom = area.top + area.height

const pagesOf = ({ words }: Printed): number => Math.max(...words.map(({ page }) => page))

/** Without what is around the certificate. */
const onPage = ({ words }: Printed, page: number): readonly Word[] =>
  words.filter((word) => word.page === page && word.bottom > area.top && word.bottom <= bottom)

const isInstalled = await findTool('pdftotext')

describe('the pages of every certificate', {
  skip: isInstalled ? false : 'pdftotext is not installed',
}, () => {
  const all = printAll()

  test('are filled to two thirds, but for the last', async () => {
    for (const one of await all) {
      for (let page = 1; page < pagesOf(one); page += 1) {
        const lowest = Math.max(...onPage(one, page).map((word) => word.bottom))
        assert.ok(lowest - area.top >= (2 / 3) * area.height, `${one.name}: page ${page} ends at ${lowest}`)
      }
    }
  })

  test('have a result or a fact beside the validation on the last one of up to three', async () => {
    for (const one of await all) {
      const last = pagesOf(one)
      const titles = one.document.sections.flatMap(({ role, title }) =>
        role === 'declaration' ? (title?.[0] ?? []) : [],
      )
      const [first] = onPage(one, last)
      const isAlone = titles.some((title) => title.split(' ')[0] === first?.text)
      assert.ok(last === 1 || last > 3 || !isAlone, `${one.name}: the last page begins with ${first?.text}`)
    }
  })

  test('are one for each sample but the one with documents and places of harvest', async () => {
    const printed = await all
    const samples = ['en10168', 'coa', 'e-coc', 'metals'].map((family) =>
      printed.find(({ document }) => document.family === family),
    )
    assert.deepEqual(
      samples.map((one) => one && pagesOf(one)),
      [1, 1, 1, 1],
    )
  })
})
