import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { readWithQpdf, type Shown } from '../../testing/qpdf.ts'
import { skipWithout } from '../../testing/tools.ts'
import { createObjectFile, type ObjectFile, refer } from './object-file.ts'
import { array, dictionary, literal, name, number, type Source, text } from './source.ts'

/** A source, and what qpdf must show for it. */
type Sample = { readonly source: Source; readonly shown: Shown }

const names = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((one) => !one.includes('\0') && one.isWellFormed())
const keys = fc.stringMatching(/^[A-Za-z][\w.+-]{0,8}$/)

const { value: samples } = fc.letrec<{ value: Sample }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme' }).map((one): Sample => ({ source: text(one), shown: `u:${one}` })),
    names.map((one): Sample => ({ source: name(one), shown: `/${one}` })),
    fc.integer({ min: -2_000_000, max: 2_000_000 }).map((hundredths): Sample => {
      const value = hundredths / 100
      return { source: number(value), shown: value }
    }),
    fc.boolean().map((one): Sample => ({ source: String(one), shown: one })),
    fc.array(tie('value'), { maxLength: 5 }).map(
      (items): Sample => ({
        source: array(items.map(({ source }) => source)),
        shown: items.map(({ shown }) => shown),
      }),
    ),
    fc.dictionary(keys, tie('value'), { maxKeys: 5, noNullPrototype: true }).map((entries): Sample => {
      const from = (read: (sample: Sample) => Shown) =>
        Object.fromEntries(Object.entries(entries).map(([key, sample]) => [key, read(sample)]))
      return {
        source: dictionary(from(({ source }) => source) as Record<string, Source>),
        shown: Object.fromEntries(
          Object.entries(from(({ shown }) => shown)).map(([key, one]) => [`/${key}`, one]),
        ),
      }
    }),
  ),
}))

/** The least that programs expect of a PDF. */
const finish = (file: ObjectFile): Promise<Uint8Array> => {
  const pages = file.allocate()
  const page = file.add(dictionary({ Type: '/Page', Parent: refer(pages), MediaBox: array([0, 0, 9, 9]) }))
  file.assign(pages, dictionary({ Type: '/Pages', Kids: array([refer(page)]), Count: 1 }))
  const root = file.add(dictionary({ Type: '/Catalog', Pages: refer(pages) }))
  return file.toBytes({
    root,
    info: file.add(dictionary({ Producer: literal('a') })),
    id: '0123456789abcdef'.repeat(2),
  })
}

const openFile = () => createObjectFile((bytes) => deflateSync(bytes))

describe('a file of objects', async () => {
  test('is clean for qpdf, which shows the values that were put in', {
    skip: await skipWithout('qpdf'),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(samples, { minLength: 1, maxLength: 60 }), async (put) => {
        const file = openFile()
        const references = put.map(({ source }) => file.add(source))
        const shown = await readWithQpdf(await finish(file))
        assert.deepEqual(
          references.map((reference) => shown.valueOf(refer(reference))),
          put.map((one) => one.shown),
        )
      }),
      { numRuns: 12 },
    )
  })

  test('can have more objects than fit into one object stream, written in any order', {
    skip: await skipWithout('qpdf'),
  }, async () => {
    const file = openFile()
    const never = file.allocate()
    const later = file.allocate()
    const references = Array.from({ length: 649 }, (_, index) => file.add(String(index)))
    const last = file.add('649')
    file.assign(later, array([refer(last)]))
    const shown = await readWithQpdf(await finish(file))
    assert.deepEqual(
      references.map((reference) => shown.valueOf(refer(reference))),
      references.map((_, index) => index),
    )
    assert.equal(shown.valueOf(refer(last)), 649)
    assert.deepEqual(shown.valueOf(refer(later)), [refer(last)])
    assert.equal(shown.valueOf(refer(never)), undefined)
  })

  test('has the bytes of each stream, compressed or plain', { skip: await skipWithout('qpdf') }, async () => {
    const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => (index * index) % 251)
    const file = openFile()
    const compressed = file.addStream({ entries: { Kind: '/A' }, bytes })
    const plain = file.addStream({ entries: { Kind: '/B', None: undefined }, bytes, as: 'plain' })
    const before = file.addStream({
      entries: { Filter: '/FlateDecode' },
      bytes: deflateSync(bytes),
      as: 'compressed',
    })
    const ofText = file.addStream({ bytes: 'BT ET' })
    const pdf = await finish(file)
    const shown = await readWithQpdf(pdf)
    for (const reference of [compressed, plain, before])
      assert.deepEqual(new Uint8Array(shown.streamOf(refer(reference)).bytes), bytes)
    assert.equal(shown.streamOf(refer(ofText)).bytes.toString(), 'BT ET')
    assert.equal(shown.streamOf(refer(compressed)).dict['/Kind'], '/A')
    assert.ok(!('/None' in shown.streamOf(refer(plain)).dict))
    assert.ok(Buffer.from(pdf).includes(Buffer.from(bytes)))
    assert.deepEqual(shown.trailer['/ID'], [
      `b:${'0123456789abcdef'.repeat(2)}`,
      `b:${'0123456789abcdef'.repeat(2)}`,
    ])
  })

  test('has every number of two bytes that is written into a string', {
    skip: await skipWithout('qpdf'),
  }, async () => {
    const file = openFile()
    const string = file.allocate()
    const all = Array.from({ length: 2 ** 16 }, (_, value) => value)
    file.assign(string, (output) => {
      output.source('(')
      for (const value of all) output.twoBytes(value)
      output.source(')')
    })
    const shown = await readWithQpdf(await finish(file))
    const hex = all.map((value) => value.toString(16).padStart(4, '0')).join('')
    assert.equal(shown.valueOf(refer(string)), `b:${hex}`)
  })

  test('has the same bytes for the same objects, also if compression is asynchronous', async () => {
    const write = (isAsynchronous: boolean) => {
      const file = createObjectFile((bytes) =>
        isAsynchronous ? Promise.resolve(deflateSync(bytes)) : deflateSync(bytes),
      )
      for (const { source } of fc.sample(samples, { numRuns: 300, seed: 1 })) file.add(source)
      file.addStream({ bytes: 'a'.repeat(1_000) })
      return finish(file)
    }
    const first = await write(false)
    assert.deepEqual(await write(false), first)
    assert.deepEqual(await write(true), first)
  })
})

describe('a number', async () => {
  test('has at most two decimals and no exponent, and is the nearest such number', () => {
    fc.assert(
      fc.property(fc.double({ min: -100_000, max: 100_000, noNaN: true }), (value) => {
        const written = number(value)
        assert.match(written, /^-?\d+(?:\.\d?[1-9])?$/)
        assert.notEqual(written, '-0')
        assert.ok(Math.abs(Number(written) - value) <= 0.005 + 1e-9)
      }),
    )
  })
})
