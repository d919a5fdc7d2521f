import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { extractEmbeddedCertificate } from '@millseal/proof'
import { createPdfRenderer, type PdfRenderer } from './renderer.ts'
import type { PdfRequest } from './request.ts'
import { sampleDocument, sampleRequest, silentLog } from './testing/document.ts'
import { layouts } from '../families/index.ts'
import { brokenRules, objectsOf, ruleNames } from './testing/structure.ts'
import { findTool, runTool, writePdf } from '@millseal/pdf/testing'

const soon = () => AbortSignal.timeout(60_000)
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('a PDF of a certificate', () => {
  const request = sampleRequest()
  let renderer: PdfRenderer
  let pdf: Uint8Array

  before(async () => {
    renderer = createPdfRenderer({ workers: 1, log: silentLog })
    pdf = await renderer.render(request, soon())
  })
  after(() => renderer[Symbol.asyncDispose]())

  test('has the structure of a PDF/A-3a', () => {
    assert.deepEqual(brokenRules(objectsOf(pdf)), [])
  })

  test('is rejected by the checks if any part of this structure is missing', () => {
    const objects = objectsOf(pdf)
    const without = (pattern: RegExp) => brokenRules(objects.replaceAll(pattern, ''))
    const noticed = new Set([
      ...without(/^%PDF-1\.7/g),
      ...without(/\/ID \[/g),
      ...without(/<pdfaid:part>3|<pdfaid:conformance>A|<pdfuaid:part>1/g),
      ...without(/\/GTS_PDFA1/g),
      ...without(/\/Lang \(en\)|\/DisplayDocTitle true/g),
      ...without(/\/Marked true/g),
      ...without(/\/S \/(?:H1|Table)\b/g),
      ...without(/\/AFRelationship \/Source|\/AF \[/g),
      ...without(/\/FontFile2|[A-Z]{6}\+/g),
      ...without(/\/Type \/FontDescriptor/g),
      ...brokenRules(`${objects}/OpenAction /Encrypt`),
    ])
    assert.deepEqual(
      ruleNames.filter((rule) => !noticed.has(rule)),
      [],
    )
  })

  test('has the title, the hash, the renderer and the date of the certificate as metadata', () => {
    const text = `${Buffer.from(pdf).toString('utf8')}${objectsOf(pdf)}`
    assert.match(text, /<rdf:li xml:lang="x-default">Inspection certificate 3\.1 S-2025\/17<\/rdf:li>/)
    assert.ok(text.includes(`SHA-256 ${request.hash}`))
    assert.match(text, /<pdf:Keywords>Millseal PDF renderer 10, en10168</)
    const dates = [...text.matchAll(/\(D:(\d{8})/g)].map(([, day]) => day)
    assert.ok(dates.length >= 3)
    assert.deepEqual([...new Set(dates)], ['20250309'])
  })

  test('contains the certificate exactly as received', async () => {
    assert.deepEqual(await extractEmbeddedCertificate(pdf), request.certificateBytes)
  })

  test('has the same bytes from any process, after any other document', async () => {
    await using other = createPdfRenderer({ workers: 2, log: silentLog })
    const others = [1, 40].map((heats) => other.render(sampleRequest(sampleDocument(heats)), soon()))
    const same = [1, 2, 3, 4].map(() => other.render(request, soon()))
    await Promise.all(others)
    const hashes = (await Promise.all(same)).map(hashOf)
    assert.deepEqual([...new Set(hashes)], [hashOf(pdf)])
  })

  test('has the same bytes on every machine for one version of the renderer', () => {
    // If the drawing changes, increase the version of the renderer (`page/draw-document.ts`) and update both lines.
    assert.match(Buffer.from(pdf).toString('latin1'), /Millseal PDF renderer 10/)
    assert.equal(hashOf(pdf), 'b0600168cc74a4f1fc9bd947c8955c73cd09404900010fed1df8117e981bbe39')
  })

  const addressOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href)
  const nodeRunning = (script: string): string[] => [
    process.execPath,
    '--input-type=module',
    '--eval',
    script,
  ]
  const printHash = `process.stdout.write(
    (await import('node:crypto')).createHash('sha256').update(pdf).digest('hex'))`

  test('has the same bytes in any time zone and locale', async () => {
    const script = `
      const { createPdfRenderer } = await import(${addressOf('renderer.ts')})
      const { sampleRequest, silentLog } = await import(${addressOf('testing/document.ts')})
      await using renderer = createPdfRenderer({ workers: 1, log: silentLog })
      const pdf = await renderer.render(sampleRequest(), AbortSignal.timeout(60000))
      ${printHash}`
    const place = ['TZ=Asia/Kolkata', 'LANG=tr_TR.UTF-8', 'LC_ALL=tr_TR.UTF-8']
    assert.equal(await runTool('env', [...place, ...nodeRunning(script)]), hashOf(pdf))
  })

  test('has the same bytes on other processors', async (t) => {
    if (process.arch !== 'x64') return t.skip('only x64 processors are emulated')
    if (!(await findTool('qemu-x86_64'))) return t.skip('qemu-user is not installed')
    const script = `
      const { openFonts } = await import(${addressOf('fonts.ts')})
      const { drawDocument } = await import(${addressOf('page/draw-document.ts')})
      const { sampleRequest } = await import(${addressOf('testing/document.ts')})
      const request = sampleRequest()
      const accent = ${JSON.stringify(layouts['en10168']?.accent)}
      const pdf = await drawDocument(request, { fonts: openFonts(), accent })
      ${printHash}`
    // The first 64-bit processor, without SSE4, AVX and FMA, and one of 2013.
    for (const processor of ['qemu64', 'Haswell']) {
      const hash = await runTool('qemu-x86_64', ['-cpu', processor, ...nodeRunning(script)])
      assert.equal(hash, hashOf(pdf), processor)
    }
  })

  test('is rendered by a thread that does not load the families', async () => {
    // Schemas, labels and mappers would double the start of the thread and cost it 28 MB.
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
      await import(${addressOf('threads/main.ts')})
      process.stdout.write(loaded.filter((url) => url.includes('/src/families/')).length + ' of ' + loaded.length)`
    const [program = '', ...options] = nodeRunning(script)
    assert.match(await runTool(program, options), /^0 of \d{2,}$/)
  })

  test('needs neither the shaper nor other fonts for Latin text', async () => {
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
      const { openFonts } = await import(${addressOf('fonts.ts')})
      const { unusualTexts } = await import(${addressOf('page/unusual-texts.ts')})
      const { sampleRequest } = await import(${addressOf('testing/document.ts')})
      const document = { ...sampleRequest().document, sections: [] }
      const load = (one) => openFonts().typefaceFor(unusualTexts(one))
      await load(document)
      const before = loaded.some((url) => url.includes('harfbuzz'))
      await load({ ...document, title: ['\u0e17\u0e35\u0e48'] })
      process.stdout.write(before + ' ' + loaded.some((url) => url.includes('harfbuzz')))`
    const [program = '', ...options] = nodeRunning(script)
    assert.equal(await runTool(program, options), 'false true')
  })

  test('is released by the server after use', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const rendered: WeakRef<Uint8Array>[] = []
    for (let time = 0; time < 12; time += 1) {
      rendered.push(new WeakRef(await renderer.render(request, soon())))
    }
    await setImmediate()
    collectGarbage()
    // The last reply may still be in a buffer of the channel.
    assert.ok(rendered.filter((one) => one.deref() !== undefined).length <= 2)
  })

  test('has different bytes for a different certificate, mode or address', async () => {
    const variants: PdfRequest[] = [
      { ...request, certificateBytes: new TextEncoder().encode('{}') },
      { ...request, mode: 'live' },
      { ...request, verifyUrl: 'https://verify.example/' },
    ]
    const hashes = await Promise.all(
      variants.map(async (variant) => hashOf(await renderer.render(variant, soon()))),
    )
    assert.equal(new Set([hashOf(pdf), ...hashes]).size, 4)
  })

  test('has no errors for qpdf, and still contains the certificate after qpdf rewrites it', async (t) => {
    if (!(await findTool('qpdf'))) return t.skip('qpdf is not installed')
    await using file = await writePdf(pdf)
    assert.match(await runTool('qpdf', ['--check', file.path]), /No syntax or stream encoding errors found/)
    for (const how of ['generate', 'disable']) {
      await runTool('qpdf', [`--object-streams=${how}`, file.path, file.beside('saved.pdf')])
      const saved = await readFile(file.beside('saved.pdf'))
      assert.notEqual(hashOf(saved), hashOf(pdf))
      assert.deepEqual(await extractEmbeddedCertificate(saved), request.certificateBytes)
    }
  })

  test('lets other software extract the certificate and its attachments unchanged', async (t) => {
    if (!(await findTool('pdfdetach'))) return t.skip('pdfdetach is not installed')
    await using file = await writePdf(pdf)
    for (const [name, bytes] of [
      ['certificate.json', request.certificateBytes],
      ['report.txt', Buffer.from('all is well')],
    ] as const) {
      await runTool('pdfdetach', ['-savefile', name, '-o', file.beside(name), file.path])
      assert.deepEqual(await readFile(file.beside(name)), Buffer.from(bytes))
    }
  })

  test('can be read as text, and repeats table headers on every page', async (t) => {
    if (!(await findTool('pdftotext'))) return t.skip('pdftotext is not installed')
    const heats = 90
    await using file = await writePdf(await renderer.render(sampleRequest(sampleDocument(heats)), soon()))
    const pages = (await runTool('pdftotext', [file.path, '-'])).split('\f').slice(0, -1)
    assert.ok(pages.length >= 2)
    for (const [index, page] of pages.entries()) {
      assert.match(page, new RegExp(`${index + 1} ?/ ?${pages.length}`))
      assert.ok(page.includes('S-2025/17'))
      assert.ok(page.includes('Made in test mode'))
      const heatsHere = [...page.matchAll(/^H-\d+$/gm)].length
      if (heatsHere > 0) assert.match(page, /^Heat$/m)
    }
    const whole = pages.join('\n')
    for (const heat of [1, 45, heats]) assert.match(whole, new RegExp(`^H-${heat}$`, 'm'))
    assert.match(whole, /S355J2\+N ≤ ≥ ⌀ ✓ √ 钢/)
  })
})
