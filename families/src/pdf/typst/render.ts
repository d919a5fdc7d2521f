import { setImmediate } from 'node:timers/promises'
import type { NodeCompiler, NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler'
import type { Layouts } from '../../family.ts'
import { openFonts } from '../fonts.ts'
import { type Arranged, arrange } from '../page/arrange.ts'
import { createMeasure } from '../page/measure.ts'
import { createPrintable } from '../page/printable.ts'
import { PdfError, type PdfRequest } from '../request.ts'
import { diagnosticsOf, exportDiagnostics } from './diagnostics.ts'
import { builtInLayout, inMemory, openCompiler } from './compiler.ts'

export type Render = (request: PdfRequest) => Promise<Uint8Array>

type Strictness = 'lenient' | 'strict'
type Outcome = { readonly pdf: Uint8Array } | { readonly problems: readonly string[] }

const companyLayout = '/layout.typ'

/** Opens Typst in this thread: a call blocks until its PDF is done. */
export const openRender = (layouts: Layouts): Render => {
  const compiler = openCompiler(layouts)
  const fonts = openFonts()
  const measure = createMeasure(fonts)
  const arrangeFor = (request: PdfRequest, strictness: Strictness, brokenPictures: ReadonlySet<string>) =>
    arrange(
      {
        ...request,
        layoutPath:
          request.layout === undefined ? builtInLayout(request.document.family, layouts) : companyLayout,
      },
      { printable: createPrintable(fonts, strictness), measure, brokenPictures },
    )
  const renderOnce = (request: PdfRequest, arranged: Arranged): Outcome => {
    using mapped = mapFiles(compiler, request, arranged)
    return compile(compiler, mapped.isCompanyLayout)
  }
  return async (request) => {
    if (request.certificateBytes.length === 0)
      throw new PdfError('refused', 'The certificate to embed is empty')
    try {
      const arranged = arrangeFor(request, 'lenient', new Set())
      let outcome = renderOnce(request, arranged)
      if ('problems' in outcome) {
        const broken = findBrokenPictures(compiler, arranged)
        if (broken.size > 0) outcome = renderOnce(request, arrangeFor(request, 'lenient', broken))
        if ('problems' in outcome) outcome = renderOnce(request, arrangeFor(request, 'strict', broken))
      }
      if ('pdf' in outcome) return outcome.pdf
      throw new PdfError(request.layout === undefined ? 'refused' : 'layout', outcome.problems.join('; '))
    } finally {
      compiler.evictCache(keptGenerations)
      // The event loop frees the results of the engine; without a turn, each leaks 1.4 MB.
      await setImmediate()
    }
  }
}

/** The cache keeps what the last two renderings used: evaluated layouts and shaped words. */
const keptGenerations = 2

type Mapped = Disposable & { readonly isCompanyLayout: boolean }

const mapFiles = (compiler: NodeCompiler, { layout }: PdfRequest, { page, files }: Arranged): Mapped => {
  const all = new Map(files)
  all.set('/page.json', Buffer.from(JSON.stringify(page)))
  if (layout !== undefined) all.set(companyLayout, Buffer.from(layout.source))
  for (const [path, bytes] of all) compiler.mapShadow(inMemory(path), bytes)
  return {
    isCompanyLayout: layout !== undefined,
    [Symbol.dispose]: () => {
      for (const path of all.keys()) compiler.unmapShadow(inMemory(path))
    },
  }
}

const compile = (compiler: NodeCompiler, isCompanyLayout: boolean): Outcome => {
  const compiled = compiler.compile({ mainFilePath: inMemory('/main.typ') })
  if (compiled.result === null) return { problems: diagnosticsOf(compiler, compiled) }
  if (isCompanyLayout) {
    const missing = missingMarks(compiler, compiled.result)
    if (missing.length > 0) return { problems: missing }
  }
  try {
    return { pdf: compiler.pdf(compiled.result, { pdfStandard: 'a-3a' }) }
  } catch (error) {
    return { problems: exportDiagnostics(error) }
  }
}

/** A layout must not remove the footer, which says how to verify the page, or the mark of test mode. */
const missingMarks = (compiler: NodeCompiler, document: NodeTypstDocument): string[] => {
  const countOf = (selector: string): number => {
    const found: unknown = compiler.query(document, { selector })
    return Array.isArray(found) ? found.length : 0
  }
  const tests = countOf('<millseal-expects-test>') > 0
  const missing = (selector: string) => countOf(selector) < document.numOfPages
  return [
    ...(missing('<millseal-footer>') ? ['The layout omits the footer on a page'] : []),
    ...(tests && missing('<millseal-test>') ? ['The layout omits the mark of test mode on a page'] : []),
  ]
}

/** Finds the pictures that the engine cannot decode by rendering each one alone. */
const findBrokenPictures = (compiler: NodeCompiler, { files }: Arranged): Set<string> => {
  const broken = new Set<string>()
  for (const [path, bytes] of files) {
    if (!path.startsWith('/picture-')) continue
    compiler.mapShadow(inMemory(path), bytes)
    const { result } = compiler.compile({ mainFileContent: `#image("${path}", alt: "")` })
    if (result === null || !exports(compiler, result)) broken.add(path)
    compiler.unmapShadow(inMemory(path))
  }
  return broken
}

const exports = (compiler: NodeCompiler, document: NodeTypstDocument): boolean => {
  try {
    compiler.pdf(document)
    return true
  } catch {
    return false
  }
}
