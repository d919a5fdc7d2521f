import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openTypeface } from '../../testing/fonts.ts'
import { readWithQpdf, type Shown, type ShownDictionary, type ShownFile } from '../../testing/qpdf.ts'
import { openDocument } from '../../testing/sample.ts'
import { skipWithout, runTool, writePdf } from '../../testing/tools.ts'
import type { PdfDocument } from '../document/pdf-document.ts'
import { rowOf } from '../layout/rows.ts'
import { linesOf, type TextStyle } from '../layout/lines.ts'

const typeface = await openTypeface()
const style: TextStyle = { weight: 'regular', size: 9, colour: '0 0 0' }

const asList = (value: Shown | undefined): readonly Shown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

const placeOf = (page: Shown | undefined, id: Shown | undefined): string => JSON.stringify([page, id])

/** The elements below one, with their tags, in the order of reading; content is a page and a number. */
const readingOrder = (file: ShownFile, reference: Shown): readonly string[] => {
  const element = file.dictionaryOf(reference)
  const kids = asList(element['/K']).flatMap((kid) => {
    if (typeof kid === 'number') return [placeOf(element['/Pg'], kid)]
    const inner = file.dictionaryOf(kid)
    return inner['/Type'] === '/MCR' ? [placeOf(inner['/Pg'], inner['/MCID'])] : readingOrder(file, kid)
  })
  return [JSON.stringify(element['/S']), ...kids]
}

type Tree = { readonly file: ShownFile; readonly root: ShownDictionary; readonly pages: readonly Shown[] }

const open = async (pdf: Uint8Array): Promise<Tree> => {
  const file = await readWithQpdf(pdf)
  const catalog = file.dictionaryOf(file.trailer['/Root'])
  const pages = asList(file.dictionaryOf(catalog['/Pages'])['/Kids'])
  return { file, root: file.dictionaryOf(catalog['/StructTreeRoot']), pages }
}

/** The element of each marked content of each page, by the parent tree; and by the content itself. */
const assertAgree = ({ file, root, pages }: Tree): void => {
  const numbers = asList(file.dictionaryOf(root['/ParentTree'])['/Nums'])
  assert.equal(root['/ParentTreeNextKey'], pages.length)
  for (const page of pages) {
    const dictionary = file.dictionaryOf(page)
    const key = dictionary['/StructParents']
    const parents = asList(numbers[numbers.indexOf(key ?? null) + 1])
    assert.equal(numbers.indexOf(key ?? null) % 2, 0)
    const content = file.streamOf(dictionary['/Contents']).bytes.toString('latin1')
    const marked = [...content.matchAll(/\/(\w+) <<\/MCID (\d+)>> BDC/g)]
    assert.deepEqual(
      marked.map(([, , id]) => Number(id)),
      parents.map((_, id) => id),
    )
    for (const [id, parent] of parents.entries()) {
      const element = file.dictionaryOf(parent)
      assert.equal(element['/S'], `/${marked[id]?.[1]}`)
      const own = asList(element['/K']).some((kid) => {
        if (typeof kid === 'number') return kid === id && element['/Pg'] === page
        const inner = file.dictionaryOf(kid)
        return inner['/MCID'] === id && inner['/Pg'] === page
      })
      assert.ok(own, placeOf(page, id))
    }
    // Everything that is drawn is marked, or is no content.
    let depth = 0
    for (const operator of content.split('\n')) {
      if (/ BDC$| BMC$/.test(operator)) depth += 1
      if (operator === 'EMC') depth -= 1
      if (/ Tj$| Do Q$| S$/.test(operator)) assert.ok(depth > 0, operator)
    }
    assert.equal(depth, 0)
  }
}

/** Elements in a tree, and where each draws: on pages 0 to 2. */
type Branch = { readonly draws: readonly number[]; readonly inner: readonly Branch[] }
const { branch } = fc.letrec<{ branch: Branch }>((tie) => ({
  branch: fc.record({
    draws: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3 }),
    inner: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('branch'), { maxLength: 3 })),
  }),
}))

const draw = (document: PdfDocument, trees: readonly Branch[]): readonly string[] => {
  const pages = [0, 1, 2].map(() => document.addPage())
  const texts: string[] = []
  const grow = ({ draws, inner }: Branch, parent = document.structure.root): void => {
    const element = document.structure.add(inner.length > 0 ? 'Div' : 'P', parent)
    for (const index of draws) {
      const text = `t${texts.length}`
      texts.push(text)
      const runs = typeface.runsOf(text, 'regular')
      const page = pages[index]
      page?.mark(element, () =>
        page.line({ runs, x: 10, y: 20 + 10 * texts.length, size: 9, colour: '0 0 0' }),
      )
      page?.artifact(() => page.rule({ x: 0, y: 0, width: 5, stroke: 1, colour: '0 0 0' }))
    }
    for (const one of inner) grow(one, element)
  }
  for (const tree of trees) grow(tree)
  return texts
}

describe('the structure of a document', async () => {
  const skip = await skipWithout('qpdf')

  test('agrees with the marked content of the pages, whatever is drawn where', { skip }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(branch, { maxLength: 4 }), async (trees) => {
        const document = openDocument()
        const texts = draw(document, trees)
        const tree = await open(await document.toBytes())
        assertAgree(tree)
        const [root] = asList(tree.root['/K'])
        const order = readingOrder(tree.file, root ?? null).filter((one) => one.startsWith('['))
        assert.equal(order.length, texts.length)
        assert.equal(new Set(order).size, texts.length)
      }),
      { numRuns: 15 },
    )
  })

  test('has tables with scopes, and an element that continues on the next page', { skip }, async () => {
    const document = openDocument()
    const { structure } = document
    const table = structure.add('Table', structure.root)
    const row = structure.add('TR', structure.add('TBody', table))
    const head = structure.add('TH', row, { scope: 'Row' })
    const cell = structure.add('TD', row)
    const setting = { typeface, width: 60 }
    const pieces = rowOf(
      [
        { x: 0, lines: linesOf('Name', style, { ...setting, element: head }) },
        {
          x: 80,
          lines: linesOf('a value of several lines, on two pages', style, { ...setting, element: cell }),
        },
      ],
      { typeface, above: 0, maxHeight: 25 },
    )
    assert.equal(pieces.length, 2)
    for (const piece of pieces) piece.draw(document.addPage(), 10, 1)
    const tree = await open(await document.toBytes())
    assertAgree(tree)
    const [first, second] = tree.pages
    const [root] = asList(tree.root['/K'])
    assert.deepEqual(readingOrder(tree.file, root ?? null), [
      ...['/Document', '/Table', '/TBody', '/TR', '/TH'].map((tag) => JSON.stringify(tag)),
      placeOf(first, 0),
      '"/TD"',
      placeOf(first, 1),
      placeOf(second, 0),
    ])
    const nums = asList(tree.file.dictionaryOf(tree.root['/ParentTree'])['/Nums'])
    const header = tree.file.dictionaryOf(asList(nums[1])[0] ?? null)
    assert.deepEqual(header['/A'], { '/O': '/Table', '/Scope': '/Row' })
  })

  test('has the text for those who cannot see a figure, and its place', { skip }, async () => {
    const document = openDocument()
    const page = document.addPage()
    const figure = document.structure.add('Figure', document.structure.root, {
      alternative: 'Stempel (ü)',
      box: [10, 20, 110, 70],
    })
    const shape = document.addShape(4, [{ x: 0, y: 0, width: 2, height: 2 }])
    page.mark(figure, () => page.picture(shape, { x: 10, y: 20, width: 100, height: 50 }))
    const tree = await open(await document.toBytes())
    assertAgree(tree)
    const nums = asList(tree.file.dictionaryOf(tree.root['/ParentTree'])['/Nums'])
    const element = tree.file.dictionaryOf(asList(nums[1])[0] ?? null)
    assert.equal(element['/Alt'], 'u:Stempel (ü)')
    assert.deepEqual(element['/A'], { '/O': '/Layout', '/Placement': '/Block', '/BBox': [10, 20, 110, 70] })
  })

  test('is read by Poppler in the order of the elements, not in that of drawing', {
    skip: await skipWithout('pdfinfo'),
  }, async () => {
    const document = openDocument()
    const { structure } = document
    const page = document.addPage()
    const [one, two] = [structure.add('H1', structure.root), structure.add('P', structure.root)]
    const line = (text: string, y: number) =>
      page.line({ runs: typeface.runsOf(text, 'regular'), x: 10, y, size: 9, colour: '0 0 0' })
    page.mark(two, () => line('second', 100))
    page.mark(one, () => line('first', 50))
    await using file = await writePdf(await document.toBytes())
    assert.match(
      await runTool('pdfinfo', ['-struct-text', file.path]),
      /Document\s+H1[^P]*"first"\s+P[^H]*"second"/,
    )
  })
})
