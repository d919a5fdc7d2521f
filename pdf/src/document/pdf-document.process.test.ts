import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { deflate as deflateWithCallback } from 'node:zlib'
import fc from 'fast-check'
import { openTypeface } from '../../testing/fonts.ts'
import { readWithQpdf } from '../../testing/qpdf.ts'
import { metadata, openDocument } from '../../testing/sample.ts'
import { skipWithout, runTool, writePdf } from '../../testing/tools.ts'
import type { Attachment } from './attachments.ts'
import type { Metadata } from './metadata.ts'
import { xmpOf } from './metadata.ts'
import type { Page } from './page.ts'
import type { PdfDocument, PdfOptions } from './pdf-document.ts'

const typeface = await openTypeface()
const deflate = promisify(deflateWithCallback)

const attachment = (name: string, content = name): Attachment => ({
  name,
  type: 'text/plain',
  description: `About ${name}`,
  relationship: 'Supplement',
  bytes: new TextEncoder().encode(content),
})

const writeText = (document: PdfDocument, page: Page, texts: readonly string[]): void => {
  for (const [index, text] of texts.entries()) {
    const element = document.structure.add('P', document.structure.root)
    const runs = typeface.runsOf(text, 'regular')
    page.mark(element, () => page.line({ runs, x: 20, y: 20 + 20 * index, size: 10, colour: '0 0 0' }))
  }
}

const twoPages = async (options: Partial<PdfOptions> = {}): Promise<Uint8Array> => {
  const document = openDocument(options)
  writeText(document, document.addPage(), ['First page: Stück ≤ 3', 'שלום עולם', 'e\u0301'])
  const second = document.addPage()
  writeText(document, second, ['Second page'])
  second.artifact(() => {
    second.turned(
      { runs: typeface.runsOf('DRAFT', 'strong'), x: 150, y: 100, size: 30, colour: '0.9 0.9 0.9' },
      30,
    )
  }, 'Watermark')
  return document.toBytes()
}

describe('a document', async () => {
  test('of two pages is clean for qpdf, and Poppler reads their text', {
    skip: await skipWithout('qpdf', 'pdftotext'),
  }, async () => {
    const pdf = await twoPages()
    await readWithQpdf(pdf)
    await using file = await writePdf(pdf)
    const pages = (await runTool('pdftotext', [file.path, '-'])).split('\f')
    assert.equal(pages.length, 3)
    assert.match(pages[0] ?? '', /First page: Stück ≤ 3/)
    assert.ok((pages[0] ?? '').normalize('NFC').includes('é'))
    assert.match(pages[0] ?? '', /שלום עולם/)
    assert.match(pages[1] ?? '', /Second page/)
    const fonts = (await runTool('pdffonts', [file.path])).split('\n').slice(2, -1)
    assert.ok(fonts.length >= 2)
    for (const font of fonts) assert.match(font, /^[A-Z]{6}\+\S+ +CID TrueType +Identity-H +yes yes yes/)
  })

  test('draws text in its font after turned text in the same font', {
    skip: await skipWithout('pdftotext'),
  }, async () => {
    const document = openDocument()
    const page = document.addPage()
    const draw = (text: string, y: number) => ({
      runs: typeface.runsOf(text, 'strong'),
      x: 150,
      y,
      size: 30,
      colour: '0 0 0',
    })
    page.artifact(() => page.turned(draw('שלום DRAFT', 100), -30))
    page.mark(document.structure.add('P', document.structure.root), () => page.line(draw('After', 190)))
    await using file = await writePdf(await document.toBytes())
    const words = await runTool('pdftotext', ['-bbox', file.path, '-'])
    const [, left = '', top = ''] = /<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>After</.exec(words) ?? []
    assert.deepEqual([Math.round(Number(left)), Number(top) > 150], [150, true], words)
    assert.match(words, /ולש|שול/)
  })

  test('has the same bytes for the same calls, also if compression is asynchronous', async () => {
    const first = await twoPages()
    assert.deepEqual(await twoPages(), first)
    assert.deepEqual(await twoPages({ deflate }), first)
    assert.notDeepEqual(await twoPages({ id: 'f'.repeat(32) }), first)
  })

  test('has its title, author, language and dates', { skip: await skipWithout('pdfinfo') }, async () => {
    const own: Metadata = {
      ...metadata,
      title: 'Zeugnis (3.1) – "ü" <&>',
      author: 'Stahl & Söhne',
      language: 'de',
    }
    await using file = await writePdf(await twoPages({ metadata: own }))
    const info = await runTool('pdfinfo', [file.path])
    assert.match(info, /^Title: +Zeugnis \(3\.1\) – "ü" <&>$/m)
    assert.match(info, /^Author: +Stahl & Söhne$/m)
    assert.match(info, /^Keywords: +one, two$/m)
    assert.match(info, /^Tagged: +yes$/m)
    assert.match(info, /^Page size: +300 x 200 pts$/m)
    assert.match(await runTool('pdfinfo', ['-isodates', file.path]), /^CreationDate: +2026-01-31T00:00:00Z$/m)
  })
})

/** A program of Python that prints the title, description, keywords and creator of XMP. */
const readXmp = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(open(sys.argv[1], 'rb').read())
dc, pdf = '{http://purl.org/dc/elements/1.1/}', '{http://ns.adobe.com/pdf/1.3/}'
found = [''.join(one.itertext()) for name in (dc + 'title', dc + 'description', pdf + 'Keywords', dc + 'creator') for one in root.iter(name)]
print(json.dumps(found))`

describe('the XMP metadata', async () => {
  test('is XML that says what it was given, whatever characters that has', {
    skip: await skipWithout('python3'),
  }, async () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('<', '>', '&', '"', "'", ']]>', '\u0000', '\u001F', '\uFFFE', '\uD800', ' '),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    })
    // What XML cannot have, even escaped, is replaced.
    const inXml = (given: string) =>
      given
        .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
        .replaceAll(/\r\n?/gu, '\n')
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (title, description, keywords, author) => {
        await using file = await writePdf(xmpOf({ ...metadata, title, description, keywords, author }))
        const found = JSON.parse(await runTool('python3', ['-c', readXmp, file.path])) as string[]
        assert.deepEqual(found, [title, description, keywords, author].map(inXml))
      }),
      { numRuns: 25 },
    )
  })
})

describe('attachments', async () => {
  test('of any names are found by qpdf and Poppler, with their bytes', {
    skip: await skipWithout('qpdf', 'pdfdetach'),
  }, async () => {
    const names = [
      'b.txt',
      'a (2)',
      'a',
      'prüfbericht.pdf',
      '报告.txt',
      'a\\b',
      'a b',
      'Z',
      'a)',
      '€',
      'é',
      '\uFF21',
    ]
    await using file = await writePdf(await twoPages({ attachments: names.map((name) => attachment(name)) }))
    const listed = await runTool('pdfdetach', ['-list', file.path])
    for (const name of names) assert.ok(listed.includes(`: ${name}\n`), name)
    for (const name of names) {
      const bytes = await runTool('qpdf', [`--show-attachment=${name}`, file.path])
      assert.equal(bytes, name)
    }
  })

  test('are in the order of the bytes of their names, by which programs search them', {
    skip: await skipWithout('qpdf'),
  }, async () => {
    /** As in the file: ASCII, or UTF-16 with its mark. */
    const bytesOf = (name: string): Buffer =>
      /^[ -~]*$/u.test(name) ? Buffer.from(name) : Buffer.from(`\uFEFF${name}`, 'utf16le').swap16()
    const name = fc.oneof(
      fc.string({
        unit: fc.constantFrom('a', 'b', ' ', '(', ')', '.', '\\', '~', '!'),
        minLength: 1,
        maxLength: 4,
      }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }).filter((one) => one.isWellFormed()),
    )
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 2, maxLength: 20 }), async (names) => {
        const shown = await readWithQpdf(await twoPages({ attachments: names.map((one) => attachment(one)) }))
        const catalog = shown.dictionaryOf(shown.trailer['/Root'])
        const tree = shown.dictionaryOf(shown.dictionaryOf(catalog['/Names'])['/EmbeddedFiles'])[
          '/Names'
        ] as readonly string[]
        const found = tree.filter((_, index) => index % 2 === 0).map((one) => one.replace(/^u:/u, ''))
        assert.deepEqual(
          found,
          names.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b))),
        )
        assert.equal((catalog['/AF'] as readonly unknown[]).length, names.length)
      }),
      { numRuns: 15 },
    )
  })
})
