import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'
import { deflateSync, inflateSync } from 'node:zlib'
import { runTool, skipWithout, writePdf } from '@millseal/pdf/testing'
import { drawSample } from '../../pdf/testing/draw-sample.ts'
import { regular, strong, symbols } from '../../pdf/testing/fonts.ts'
import { encodePng } from '../../pdf/testing/png.ts'
import { findChromium, launchChromium } from '../../server/test/chromium.ts'

const executable = findChromium()
const skip =
  executable === undefined
    ? 'there is no chromium on this machine'
    : await skipWithout('qpdf', 'pdftotext', 'pdfdetach', 'pdfimages')

const pdf = join(import.meta.dirname, '../../pdf')
const require = createRequire(join(pdf, 'package.json'))
const folderOf = (packageName: string): string => dirname(require.resolve(packageName))
const packages: Readonly<Record<string, string>> = {
  '/harfbuzzjs/': folderOf('harfbuzzjs'),
  '/bidi-js/': folderOf('bidi-js'),
}
const files: Readonly<Record<string, Uint8Array>> = {
  '/regular': regular.file,
  '/strong': strong.file,
  '/symbols': symbols.file,
  '/picture': encodePng({
    width: 16,
    height: 16,
    depth: 8,
    colour: 6,
    isInterlaced: true,
    sampleAt: (x, y) => [x * 15, y * 15, 100, x > 3 ? 255 : 0],
  }),
}

const html = `<!doctype html><script type="importmap">
{ "imports": { "harfbuzzjs": "/harfbuzzjs/index.mjs", "bidi-js": "/bidi-js/bidi.mjs" } }</script>`

const types: readonly (readonly [end: RegExp, type: string])[] = [
  [/\.m?[jt]s$/, 'text/javascript'],
  [/\.wasm$/, 'application/wasm'],
  [/^\/$/, 'text/html'],
]

/** The sources of the writer with their types blanked out, and the packages that it loads. */
const contentAt = async (path: string): Promise<Uint8Array | string> => {
  if (path === '/') return html
  const file = files[path]
  if (file !== undefined) return file
  const found = Object.entries(packages).find(([start]) => path.startsWith(start))
  if (found !== undefined) return readFile(join(found[1], path.slice(found[0].length)))
  return stripTypeScriptTypes(await readFile(join(pdf, path), 'utf8'))
}

const startServer = async () => {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '', 'http://localhost').pathname)
    const type = types.find(([end]) => end.test(path))?.[1] ?? 'application/octet-stream'
    contentAt(path).then(
      (content) => response.writeHead(200, { 'content-type': type }).end(content),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Runs in the browser. Its only compression is asynchronous. */
const drawInBrowser = `(async () => {
  const { drawSample } = await import('/testing/draw-sample.ts')
  const load = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer())
  const through = (Stream) => async (bytes) =>
    new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new Stream('deflate'))).arrayBuffer())
  const [regular, strong, symbols, picture] = await Promise.all(['/regular', '/strong', '/symbols', '/picture'].map(load))
  const drawn = await drawSample({
    regular, strong, symbols, picture,
    deflate: through(CompressionStream), inflate: through(DecompressionStream),
  })
  return drawn.toBase64?.() ?? btoa(Array.from(drawn, (byte) => String.fromCharCode(byte)).join(''))
})()`

const drawnInBrowser = async (): Promise<Uint8Array> => {
  assert.ok(executable !== undefined)
  await using server = await startServer()
  await using opened = new AsyncDisposableStack()
  const browser = await launchChromium(executable)
  opened.defer(() => browser.close())
  const page = await browser.newPage()
  await page.goto(server.url)
  return Buffer.from(await page.evaluate<string>(drawInBrowser), 'base64')
}

/** What other programs read in a PDF. */
const readBack = async (bytes: Uint8Array) => {
  await using file = await writePdf(bytes)
  assert.match(await runTool('qpdf', ['--check', file.path]), /No syntax or stream encoding errors found/)
  await runTool('pdfdetach', ['-save', '1', '-o', file.beside('attachment'), file.path])
  await runTool('pdfimages', [file.path, file.beside('image')])
  return {
    pages: (await runTool('pdftotext', [file.path, '-'])).split('\f').slice(0, -1),
    structure: await runTool('pdfinfo', ['-struct-text', file.path]),
    attachment: await readFile(file.beside('attachment'), 'utf8'),
    picture: await readFile(file.beside('image-000.ppm')),
    opacity: await readFile(file.beside('image-001.ppm')),
  }
}

describe('a PDF drawn in a browser', { skip }, () => {
  test('has no errors for qpdf, and the text, structure, picture and attachment of the one drawn in Node', async () => {
    const inBrowser = await readBack(await drawnInBrowser())
    const drawn = await drawSample({
      regular: regular.file,
      strong: strong.file,
      symbols: symbols.file,
      picture: files['/picture'] ?? new Uint8Array(),
      deflate: (bytes) => deflateSync(bytes),
      inflate: (bytes) => inflateSync(bytes),
    })
    assert.deepEqual(inBrowser, await readBack(drawn))
    assert.equal(inBrowser.pages.length, 2)
    assert.match(inBrowser.pages.join(''), /Größe: Žluťoučký ⌀ 12 mm[^]*תעודת בדיקה[^]*H-30/)
    assert.equal(inBrowser.attachment, '{"heat":"H-1"}')
  })
})
