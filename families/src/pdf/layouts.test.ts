import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createPdfRenderer, type PdfRenderer } from './renderer.ts'
import { PdfError, type PdfFailure } from './request.ts'
import { png, sampleDocument, sampleRequest, silentLog } from './testing/document.ts'
import { brokenRules } from './testing/structure.ts'

const soon = () => AbortSignal.timeout(60_000)
const components = '#import "/millseal/components.typ": *\n'

describe("a company's own layout", () => {
  let renderer: PdfRenderer
  before(() => {
    renderer = createPdfRenderer({ workers: 1, log: silentLog })
  })
  after(() => renderer[Symbol.asyncDispose]())

  const render = (source: string) => renderer.render({ ...sampleRequest(), layout: { source } }, soon())
  const refuses = async (source: string, message: RegExp, failure: PdfFailure = 'layout') => {
    await assert.rejects(render(source), (error) => {
      assert.ok(error instanceof PdfError)
      assert.equal(error.failure, failure)
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /families|process|nowhere/)
      return true
    })
  }

  test('changes the look of the PDF, which stays a PDF/A-3a', async () => {
    const own = await render(`${components}#let layout(data) = certificate(data + (accent: rgb("#aa2200")))`)
    assert.deepEqual(brokenRules(own), [])
    assert.notDeepEqual(own, await renderer.render(sampleRequest(), soon()))
  })

  test('may have a logo, which is used if the certificate has none', async () => {
    const source = `${components}#let layout(data) = certificate(data)`
    const logo = { type: 'image/png', base64: png, alternative: ['Logo'] } as const
    const pdf = await renderer.render({ ...sampleRequest(), layout: { source, logo } }, soon())
    assert.ok(Buffer.from(pdf).includes('/Subtype /Image'))
  })

  test('does not affect the next certificate', async () => {
    const expected = await renderer.render(sampleRequest(), soon())
    await render(`${components}#let layout(data) = { set text(fill: red); certificate(data) }`)
    assert.deepEqual(await renderer.render(sampleRequest(), soon()), expected)
  })

  test('cannot change the document that headers and footers show', async () => {
    const plain = `${components}#let layout(data) = certificate(data)`
    const forged = `${components}#let layout(data) = {
      let other = data + (verification: data.verification + (shownUrl: "https://elsewhere.example"))
      [#metadata(other)<millseal-document>]
      certificate(data)
    }`
    assert.deepEqual(await render(forged), await render(plain))
  })

  test('cannot read files of the machine', async () => {
    await refuses('#let layout(data) = read("/etc/passwd")', /failed to load file/)
    await refuses('#let layout(data) = read("../../../../../../../etc/passwd")', /access denied/)
    await refuses(`#let layout(data) = read("${import.meta.filename}")`, /failed to load file/)
    await refuses('#let layout(data) = image("/proc/self/environ")', /failed to load file/)
    await refuses('#let layout(data) = plugin("/tmp/x.wasm")', /failed to load file/)
  })

  test('cannot import packages from the machine or the network', async () => {
    await refuses('#import "@preview/cetz:0.3.0": *\n#let layout(data) = []', /failed to download package/)
    await refuses('#import "@local/own:1.0.0": *\n#let layout(data) = []', /package not found/)
  })

  test('cannot omit the footer or the mark of test mode', async () => {
    await refuses('#let layout(data) = { set page(footer: none)\n [text] }', /footer/)
    await refuses('#let layout(data) = { set page(background: none)\n [text] }', /test mode/)
  })

  test('with an error is rejected with the line of the error', async () => {
    await refuses('#let layout(data) = {\n\n  unknown-thing\n}', /layout\.typ:3: unknown variable/)
    await refuses('#let layout(data) = (', /layout\.typ:1: unclosed delimiter/)
    await refuses('', /unresolved import/)
  })

  test('is checked with a specimen that contains everything', async () => {
    await renderer.check(soon())
    await renderer.check(soon(), { source: `${components}#let layout(data) = certificate(data)` })
    await assert.rejects(renderer.check(soon(), { source: '#let layout(data) = none - 1' }), PdfError)
  })
})

/** A proxy that counts the connections of a process that tries to fetch a package, and answers none. */
const openProxy = async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

const runNode = async (script: string, proxy: string): Promise<void> => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, HTTPS_PROXY: proxy, https_proxy: proxy },
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 60_000,
  })
  assert.deepEqual(await once(child, 'exit'), [0, null])
}

test('the engine alone fetches packages, our renderer does not try', async () => {
  const source = '#import "@preview/cetz:0.3.0": *\n#let layout(data) = []'
  await using bare = await openProxy()
  await runNode(
    `import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
     NodeCompiler.create({}).compile({ mainFileContent: ${JSON.stringify(source)} })`,
    bare.url,
  )
  assert.ok(bare.connections() > 0)
  await using ours = await openProxy()
  await runNode(
    `import { createPdfRenderer } from './renderer.ts'
     import { sampleRequest, silentLog } from './testing/document.ts'
     await using renderer = createPdfRenderer({ workers: 1, log: silentLog })
     const layout = { source: ${JSON.stringify(source)} }
     const refused = await renderer.render({ ...sampleRequest(), layout }, AbortSignal.timeout(60000)).catch((error) => error)
     process.exitCode = refused.failure === 'layout' ? 0 : 1`,
    ours.url,
  )
  assert.equal(ours.connections(), 0)
})

test('every built-in layout renders a document without sections', async () => {
  await using renderer = createPdfRenderer({ workers: 1, log: silentLog })
  for (const family of ['en10168', 'coa', 'e-coc', 'metals', 'generic', 'unheard-of']) {
    const pdf = await renderer.render(sampleRequest({ ...sampleDocument(), family, sections: [] }), soon())
    assert.ok(pdf.length > 10_000)
  }
})
