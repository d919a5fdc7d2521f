import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { realCertificates, underOwnSchema, withoutRealCertificates } from '../../test/real-certificates.ts'
import { extractEmbeddedCertificate } from '@millseal/proof'
import { readCertificate } from '../certificate/read-certificate.ts'
import { families } from '../families/index.ts'
import { ownEntries } from '../registry/own-schemas.ts'
import { toDocument } from '../to-document.ts'
import { openFonts } from './fonts.ts'
import { drawDocument } from './page/draw-document.ts'
import type { PdfRequest } from './request.ts'
import { sampleRequest } from './testing/document.ts'
import { findTool, runTool } from '@millseal/pdf/testing'
import { signWithOpenssl } from '@millseal/pdf/testing/sign'
import { brokenRules, objectsOf } from './testing/structure.ts'
import { openVeraPdf } from './testing/verapdf.ts'

const languages = [
  ['EN'],
  ['DE', 'EN'],
  ['ZH', 'EN'],
  ['TR'],
  ['PL', 'FR'],
  ['ES', 'IT'],
  ['FR'],
  ['IT', 'TR'],
]

const entries = ownEntries([])

const requestOf = (bytes: Uint8Array, index: number): PdfRequest => {
  const certificate = readCertificate(bytes)
  const entry = entries.find(({ urls }) => urls.includes(certificate.refSchemaUrl))
  assert.ok(entry)
  return {
    document: toDocument(certificate, entry),
    mode: index % 2 === 0 ? 'live' : 'test',
    isDraft: index % 3 === 0,
    certificateBytes: bytes,
    hash: certificate.hash,
    verifyUrl: `https://mill.example/v/${certificate.hash.slice(0, 22)}`,
  }
}

/** The samples of all families in all languages, scripts of the world, and published certificates if they are there. */
const allRequests = (): PdfRequest[] => {
  const samples = families.flatMap(({ samples: own }) => own).map((sample) => JSON.stringify(sample))
  const inLanguages = languages.flatMap((chosen) =>
    samples.map((sample) =>
      sample.replaceAll(/anguages":\[[^\]]*\]/gu, `anguages":${JSON.stringify(chosen)}`),
    ),
  )
  const published = withoutRealCertificates
    ? []
    : realCertificates()
        .filter(({ isValid }) => isValid)
        .map(underOwnSchema)
  const own = inLanguages.map((text) => Buffer.from(text))
  const requests = [...own, ...published].map(requestOf)
  return [...requests, scripts, ...requests.slice(0, 3).map(signed)]
}

/** The same with room for a signature, which OpenSSL makes if it is installed. */
const signed = (request: PdfRequest): PdfRequest => ({
  ...request,
  signature: { signer: 'Stahl & Söhne', at: '2026-01-31T12:30:00Z', bytes: 2_000 },
})

const inScripts = {
  ...sampleRequest().document,
  sections: [
    {
      title: ['Scripts'],
      blocks: [
        'บริษัท เหล็กสยาม จำกัด (มหาชน)',
        '포스코 주식회사 품질증명서',
        'टाटा स्टील लिमिटेड क्षत्रिय',
        'شركة الحديد والصلب (ISO 9001) 12.5 MPa',
        'תעודת בדיקה למפעל פלדה EN 10204',
        '宝山钢铁股份有限公司 質量證明書 日本製鉄株式会社 ミルシート',
        'Ελληνική χαλυβουργία, Магнитогорский комбинат, e\u0301 Z\u030C',
      ].map((text) => ({ kind: 'paragraph' as const, text: [text] })),
    },
  ],
}

const scripts = sampleRequest(inScripts)

describe('PDFs of all families', () => {
  const requests = allRequests()
  const drawn: { readonly request: PdfRequest; readonly path: string }[] = []
  let folder = ''

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
    const fonts = openFonts()
    const hasOpenssl = await findTool('openssl')
    for (const [index, request] of requests.entries()) {
      const path = join(folder, `${index}.pdf`)
      const pdf = await drawDocument(request, { fonts, accent: undefined })
      await writeFile(path, request.signature && hasOpenssl ? await signWithOpenssl(pdf) : pdf)
      drawn.push({ request, path })
    }
    assert.ok(drawn.length >= 40)
    for (const family of families) {
      const own = drawn.filter(({ request }) => request.document.family === family.name)
      const inTheirs = new Set(own.map(({ request }) => String(request.document.languages)))
      assert.ok(inTheirs.size >= (family.name === 'e-coc' ? 1 : languages.length), family.name)
    }
  })
  after(() => rm(folder, { recursive: true }))

  test('are PDF/A-3a and PDF/UA-1 for veraPDF', async (t) => {
    await using veraPdf = await openVeraPdf()
    if (veraPdf === undefined) return t.skip('Java or Maven is not installed')
    const files = drawn.map(({ path }) => path)
    for (const standard of ['3a', 'ua1'] as const)
      assert.deepEqual(await veraPdf.complaints(standard, files), [])
    // It refuses a file that is none.
    const damaged = join(folder, 'damaged.pdf')
    const [first] = drawn
    assert.ok(first)
    const bytes = (await readFile(first.path))
      .toString('latin1')
      .replace('<pdfuaid:part>1', '<pdfuaid:part>9')
    await writeFile(damaged, Buffer.from(bytes, 'latin1'))
    assert.match((await veraPdf.complaints('ua1', [damaged])).join('\n'), /0 of 1 pass[^]*FAIL/)
  })

  test('have the structure of a PDF/A-3a, and give back the certificate as received', async () => {
    for (const { request, path } of drawn) {
      const pdf = await readFile(path)
      const hasTable = request.document.sections.some(({ blocks }) =>
        blocks.some(({ kind }) => kind === 'table'),
      )
      const hasHeading = request.document.sections.some(({ title }) => title !== undefined)
      const missing = [
        ...(hasTable ? [] : ['has tables with heads and cells']),
        ...(hasHeading ? [] : ['has headings']),
      ]
      assert.deepEqual(brokenRules(objectsOf(pdf)), missing, path)
      assert.deepEqual(await extractEmbeddedCertificate(pdf), new Uint8Array(request.certificateBytes))
    }
  })

  test('have at most 40 KB without files and pictures, those of EN 10168 with two logos 75 KB', async () => {
    let [plain, withLogos] = [0, 0]
    for (const { request, path } of drawn) {
      const { family, sections, logo, files, languages: used } = request.document
      const blocks = sections.flatMap((section) => section.blocks)
      const pictures = blocks.filter(({ kind }) => kind === 'picture').length + (logo === undefined ? 0 : 1)
      const isPlain = pictures === 0
      const hasLogos = pictures >= 2 && family === 'en10168'
      // Chinese and other scripts bring fonts of their own.
      if (used.includes('zh') || request === scripts) continue
      if (files.length > 0 || !(isPlain || hasLogos)) continue
      const { length } = await readFile(path)
      assert.ok(length <= (isPlain ? 40_000 : 75_000), `${path}: ${length}`)
      if (isPlain) plain += 1
      else withLogos += 1
    }
    assert.ok(plain >= 10)
    assert.ok(withLogos >= 4 || withoutRealCertificates)
  })

  test('have no errors for qpdf', async (t) => {
    if (!(await findTool('qpdf'))) return t.skip('qpdf is not installed')
    for (const { path } of drawn)
      assert.match(await runTool('qpdf', ['--check', path]), /No syntax or stream encoding errors found/)
  })

  test('have the certificate and its files byte for byte', async (t) => {
    if (!(await findTool('pdfdetach'))) return t.skip('pdfdetach is not installed')
    for (const { request, path } of drawn) {
      await runTool('pdfdetach', ['-savefile', 'certificate.json', '-o', `${path}.json`, path])
      assert.deepEqual(await readFile(`${path}.json`), Buffer.from(request.certificateBytes))
    }
  })

  test('have a QR code that is read from a black-and-white copy of 200 dpi, and from a worse one', async (t) => {
    if (!(await findTool('pdftoppm'))) return t.skip('pdftoppm is not installed')
    if (!(await findTool('zbarimg'))) return t.skip('zbarimg (zbar-tools) is not installed')
    for (const resolution of ['200', '150']) {
      const copies: string[] = []
      for (const { path } of drawn) {
        const copy = `${path}-${resolution}`
        await runTool('pdftoppm', ['-r', resolution, '-mono', '-png', '-f', '1', '-singlefile', path, copy])
        copies.push(`${copy}.png`)
      }
      const codes = (await runTool('zbarimg', ['-q', '--raw', ...copies])).trim().split('\n')
      assert.deepEqual(
        codes,
        drawn.map(({ request }) => request.verifyUrl),
      )
    }
  })
})
