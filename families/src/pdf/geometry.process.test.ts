import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findTool } from '@millseal/pdf/testing'
import type { Block, DocumentModel } from '../model/document.ts'
import { openFonts } from './fonts.ts'
import { drawDocument } from './page/draw-document.ts'
import { png, sampleDocument, sampleRequest } from './testing/document.ts'
import { type Word, wordsIn } from './testing/words.ts'

const isInstalled = await findTool('pdftotext')
const skip = isInstalled ? false : 'pdftotext is not installed'

const wordsOf = async (document: DocumentModel): Promise<Word[]> => {
  const request = sampleRequest(document)
  return wordsIn(await drawDocument(request, { fonts: openFonts(), accent: undefined }))
}

const withBlocks = (blocks: readonly Block[]): DocumentModel => ({
  ...sampleDocument(),
  sections: [{ title: ['Section'], blocks }],
})

describe('on a page', { skip }, () => {
  let fields: Word[]
  before(async () => {
    fields = await wordsOf(
      withBlocks([
        {
          kind: 'fields',
          fields: [
            { label: ['Short'], value: 'valueone' },
            { label: ['A label of the first language that is long', 'Bezeichnung'], value: 'valuetwo' },
            { label: ['Last'], value: 'valuethree' },
          ],
        },
      ]),
    )
  })

  const bottomOf = (words: readonly Word[], text: string): number => {
    const found = words.find((word) => word.text === text)
    assert.ok(found, text)
    return found.bottom
  }

  test('the labels of a row begin on one line, and so do its values', () => {
    assert.equal(bottomOf(fields, 'Short'), bottomOf(fields, 'Last'))
    assert.equal(bottomOf(fields, 'Short'), bottomOf(fields, 'A'))
    assert.equal(bottomOf(fields, 'valueone'), bottomOf(fields, 'valuetwo'))
    assert.equal(bottomOf(fields, 'valueone'), bottomOf(fields, 'valuethree'))
  })

  test('the title of a section is never apart from its first row, whatever is above it', async () => {
    for (let rows = 30; rows < 44; rows += 1) {
      const document: DocumentModel = {
        ...sampleDocument(),
        sections: [
          {
            title: ['Above'],
            blocks: [
              { kind: 'paragraph', text: [Array.from({ length: rows }, (_, at) => `line ${at}`).join('\n')] },
            ],
          },
          {
            title: ['Titled'],
            blocks: [{ kind: 'fields', fields: [{ label: ['Field'], value: 'itsvalue' }] }],
          },
        ],
      }
      const words = await wordsOf(document)
      const pageOf = (text: string) => words.find((word) => word.text === text)?.page
      assert.equal(pageOf('Titled'), pageOf('itsvalue'), `${rows} lines above`)
    }
  })

  /** The pages of the last result, of the statement with its signer, and of a mark with its number. */
  const pagesOfDeclaration = async (rows: number): Promise<readonly (number | undefined)[]> => {
    const lines = Array.from({ length: rows }, (_, at) => `line ${at}`)
    const document: DocumentModel = {
      ...sampleDocument(),
      sections: [
        {
          title: ['Results'],
          blocks: [{ kind: 'paragraph', text: [[...lines, 'lastresult'].join('\n')] }],
        },
        {
          title: ['Declaration'],
          role: 'declaration',
          blocks: [
            { kind: 'paragraph', text: ['westate'] },
            { kind: 'fields', fields: [{ label: ['Inspector'], value: 'itssigner' }] },
            { kind: 'heading', text: ['Marking'] },
            { kind: 'picture', picture: { type: 'image/png', base64: png, alternative: ['Mark'] } },
            { kind: 'fields', fields: [{ label: ['Number'], value: 'itsnumber' }] },
          ],
        },
      ],
    }
    const words = await wordsOf(document)
    return ['lastresult', 'westate', 'itssigner', 'Marking', 'itsnumber'].map(
      (text) => words.find((word) => word.text === text)?.page,
    )
  }

  test('a statement is with a result, its signer and its marks', async () => {
    for (let rows = 20; rows < 44; rows += 3) {
      const pages = await pagesOfDeclaration(rows)
      assert.equal(new Set(pages).size, 1, `${rows} lines above: ${pages.join(', ')}`)
    }
  })

  test('the decimal signs of a column are below each other', async () => {
    const cells = ['1.25', '10.5', '100', '0.0625']
    const words = await wordsOf(
      withBlocks([
        {
          kind: 'table',
          table: {
            columns: [
              { label: ['Heat'], align: 'start' },
              { label: ['C'], align: 'end' },
            ],
            rows: cells.map((value, at) => ({ cells: [`H-${at}`, value] })),
          },
        },
      ]),
    )
    const digit = 7.6 * 0.6
    const places = cells.map((value) => {
      const left = words.find(({ text }) => text === value)?.left ?? 0
      return left + value.replace(/\..*/u, '').length * digit
    })
    for (const place of places) assert.ok(Math.abs(place - (places[0] ?? 0)) < 0.6, places.join(' '))
  })
})
