import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { forgedPng } from '../../test/forged-png.ts'
import type { DocumentModel, Section } from '../model/document.ts'
import { createPdfRenderer, type PdfRenderer } from './renderer.ts'
import { PdfError } from './request.ts'
import { png, sampleDocument, sampleRequest, silentLog } from './testing/document.ts'
import { brokenRules, objectsOf } from './testing/structure.ts'
import { findTool, runTool, writePdf } from '@millseal/pdf/testing'

const soon = () => AbortSignal.timeout(60_000)

const withSection = (section: Section): DocumentModel => ({
  ...sampleDocument(),
  sections: [...sampleDocument().sections, section],
})

describe('a hostile document', () => {
  let renderer: PdfRenderer
  before(() => {
    renderer = createPdfRenderer({ workers: 1, log: silentLog })
  })
  after(() => renderer[Symbol.asyncDispose]())

  const rendered = async (document: DocumentModel): Promise<Uint8Array> => {
    const pdf = await renderer.render(sampleRequest(document), soon())
    assert.deepEqual(brokenRules(objectsOf(pdf)), [])
    return pdf
  }

  const textOf = async (document: DocumentModel): Promise<string> => {
    await using file = await writePdf(await rendered(document))
    return await runTool('pdftotext', [file.path, '-'])
  }

  test('is rendered with any character in any place', async () => {
    const odd =
      '\u0000a\u0007b \uD800 \u202E evil \u200B e\u0301 漢\u0301 🚀 \uE000 \u{10FFFF} ก็ سلام नमस्ते ﷽ \t\u2028 #panic("x") $x$ *b*'
    const long = odd + 'w'.repeat(3_000)
    await rendered({
      ...sampleDocument(),
      languages: ['zz-\u0000', odd],
      title: [odd, odd],
      number: long,
      standard: odd,
      date: odd,
      parties: [{ role: [long], code: odd, name: long, lines: [{ label: [odd], value: long }] }],
      sections: [
        {
          title: [long],
          role: 'declaration',
          blocks: [
            { kind: 'heading', text: [long, odd] },
            { kind: 'paragraph', text: [long, long] },
            { kind: 'fields', fields: [{ label: [long], code: odd, value: long, unit: odd }] },
            { kind: 'table', table: { columns: [], rows: [{ cells: [] }] } },
            {
              kind: 'table',
              table: {
                caption: [odd],
                columns: [
                  { label: [odd], align: 'end' },
                  { label: [long], code: odd, unit: odd, align: 'end' },
                ],
                rows: [{ cells: [long, odd] }, { cells: [] }, { cells: ['1', '2', '3'] }],
              },
            },
          ],
        },
        { title: ['H'], blocks: sampleDocument().sections[0]?.blocks ?? [] },
      ],
      files: [{ name: long, type: odd, description: odd, base64: '' }],
      warnings: [{ pointer: odd, reason: long }],
    })
  })

  test('shows characters that no font draws by their code point', async (t) => {
    if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
    const text = await textOf(
      withSection({
        blocks: [{ kind: 'paragraph', text: ['before 🚀 \u202Eafter 漢\u0301 e\u0301 \u0000end'] }],
      }),
    )
    assert.match(text, /before \[U\+1F680\] \[U\+202E\]after 漢\u0301 e\u0301 end/u)
  })

  test('is rendered with characters of every script', async () => {
    const isChosen = (codePoint: number) => codePoint < 0x25_00 || codePoint % 211 === 0
    const chosen = Array.from({ length: 0x3_0000 }, (_, codePoint) => codePoint)
      .filter(isChosen)
      .map((codePoint) => String.fromCodePoint(codePoint))
    const lines = Array.from({ length: Math.ceil(chosen.length / 60) }, (_, line) =>
      chosen.slice(60 * line, 60 * (line + 1)).join(' '),
    )
    await rendered(withSection({ blocks: [{ kind: 'paragraph', text: [lines.join('\n')] }] }))
  })

  test('shows a placeholder for each picture that is missing', async (t) => {
    if (!(await findTool('pdfimages'))) return t.skip('pdfimages is not installed')
    const document: DocumentModel = {
      ...withSection({
        blocks: [
          { kind: 'picture', picture: { missing: ['Missing stamp'] } },
          { kind: 'picture', picture: { type: 'image/png', base64: png, alternative: ['Whole stamp'] } },
        ],
      }),
      logo: { missing: ['Missing logo'] },
    }
    const text = await textOf(document)
    for (const placeholder of ['Missing stamp', 'Missing logo']) assert.ok(text.includes(placeholder))
    assert.ok(!text.includes('Whole stamp'))
    await using file = await writePdf(await rendered(document))
    assert.equal((await runTool('pdfimages', ['-list', file.path])).trim().split('\n').length - 2, 1)
  })

  // Mapping replaces such pictures of a certificate by their texts. A viewer would show an error, or nothing.
  test('with a damaged picture is refused, however small the damage, and no PDF is made', async () => {
    const size = { width: 100, height: 100 }
    const whole = forgedPng({ ...size, data: deflateSync(Buffer.alloc(10_100)) })
    const bit = Buffer.from(whole)
    bit.writeUInt8(bit.readUInt8(50) ^ 1, 50)
    const damaged: readonly (readonly [Buffer, string])[] = [
      [forgedPng({ ...size, data: Buffer.from('nonsense') }), 'does not decompress'],
      [forgedPng({ ...size, data: deflateSync(Buffer.alloc(10_099)) }), 'ends before its last pixel'],
      [forgedPng({ color: 3 }), 'has no palette'],
      [whole.subarray(0, -20), 'is cut off'],
      [bit, 'is damaged'],
      // A JPEG with valid headers and no pixels.
      [Buffer.from('ffd8ffc0000b080004000401011100ffda0008010100003f00ffd9', 'hex'), 'is damaged'],
      [Buffer.from('<svg/>'), 'is neither PNG nor JPEG'],
    ]
    const showing = (bytes: Buffer): readonly DocumentModel[] => {
      const base64 = bytes.toString('base64')
      const picture = { type: 'image/png', base64, alternative: ['Stamp'] } as const
      return [withSection({ blocks: [{ kind: 'picture', picture }] }), { ...sampleDocument(), logo: picture }]
    }
    for (const [bytes, flaw] of damaged)
      for (const document of showing(bytes))
        await assert.rejects(renderer.render(sampleRequest(document), soon()), (error) => {
          assert.ok(error instanceof PdfError)
          assert.deepEqual([error.failure, error.message], ['refused', `A picture of the document ${flaw}`])
          return true
        })
    for (const document of showing(whole)) await rendered(document)
  })

  test('with a declaration of several pages is rendered completely', async (t) => {
    if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
    const lines = Array.from({ length: 200 }, (_, at) => `line-${at}`).join('\n')
    const text = await textOf(
      withSection({ role: 'declaration', blocks: [{ kind: 'paragraph', text: [lines] }] }),
    )
    for (const at of [0, 60, 120, 199]) assert.match(text, new RegExp(`\\bline-${at}\\b`))
  })

  test('with sixty columns and rows of any height is rendered completely', async (t) => {
    if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
    const columns = Array.from({ length: 60 }, (_, at) => ({ label: [`E${at}`], align: 'end' as const }))
    const tall = Array.from({ length: 700 }, (_, at) => `w${at}`).join(' ')
    const text = await textOf(
      withSection({
        blocks: [
          { kind: 'table', table: { columns, rows: [{ cells: columns.map((_, at) => `0.${at + 100}`) }] } },
          {
            kind: 'table',
            table: {
              columns: [
                { label: ['T'], align: 'start' },
                { label: ['U'], align: 'start' },
              ],
              rows: [{ cells: [tall, 'u'] }],
            },
          },
        ],
      }),
    )
    for (let at = 0; at < 60; at += 1) assert.match(text, new RegExp(`0\\.${at + 100}\\b`))
    for (const word of ['w0', 'w350', 'w699']) assert.match(text, new RegExp(`\\b${word}\\b`))
  })
})
