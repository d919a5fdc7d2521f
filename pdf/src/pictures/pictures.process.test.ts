import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { deflateSync, inflateSync } from 'node:zlib'
import { type Drawing, encodePng } from '../../testing/png.ts'
import { openDocument } from '../../testing/sample.ts'
import { skipWithout, runTool, writePdf } from '../../testing/tools.ts'
import type { Image } from './image.ts'
import { imageOfJpeg } from './jpeg.ts'
import { imageOfPng } from './png.ts'

const zlib = {
  inflate: (bytes: Uint8Array) => inflateSync(bytes),
  deflate: (bytes: Uint8Array) => deflateSync(bytes),
}

const pdfWith = (image: Image): Promise<Uint8Array> => {
  const document = openDocument()
  const page = document.addPage()
  const resource = document.addImage(image)
  const figure = document.structure.add('Figure', document.structure.root, { alternative: 'A picture' })
  page.mark(figure, () => page.picture(resource, { x: 10, y: 10, width: 100, height: 50 }))
  return document.toBytes()
}

/** A picture as Poppler has it: three bytes for each point. */
type Pixels = { readonly width: number; readonly height: number; readonly points: readonly number[][] }

/** Reads what `pdfimages` writes: PPM, or PBM where 1 is black. */
const readPnm = (file: Buffer): Pixels => {
  const found = /^P([46])\s(\d+)\s(\d+)\s(?:255\s)?/.exec(file.toString('latin1'))
  assert.ok(found)
  const [start, kind, width, height] = [found[0].length, found[1], Number(found[2]), Number(found[3])]
  const rowBytes = Math.ceil(width / 8)
  const points = Array.from({ length: width * height }, (_, point) => {
    if (kind === '6') return [...file.subarray(start + 3 * point, start + 3 * point + 3)]
    const [x, y] = [point % width, Math.floor(point / width)]
    const isBlack = ((file[start + y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
    return Array.from({ length: 3 }, () => (isBlack ? 0 : 255))
  })
  return { width, height, points }
}

/** The images of a PDF, each followed by its opacity if it has one, as Poppler extracts them. */
const imagesOf = async (pdf: Uint8Array): Promise<Pixels[]> => {
  await using file = await writePdf(pdf)
  await runTool('pdfimages', [file.path, file.beside('image')])
  const names = (await readdir(dirname(file.path))).filter((name) => /^image-.*\.p[pb]m$/.test(name))
  return Promise.all(
    names.toSorted().map(async (name) => readPnm(await readFile(join(dirname(file.path), name)))),
  )
}

const most = (depth: number): number => 2 ** depth - 1
/** Numbers without a pattern that a filter could hide. */
const noise = (x: number, y: number, channel: number): number =>
  (x * 7_919 + y * 104_729 + channel * 1_299_709) % 65_521
const eightBits = (sample: number, depth: number): number =>
  depth === 16 ? sample >> 8 : Math.round((sample * 255) / most(depth))

const colourTypes: readonly (readonly [
  colour: 0 | 2 | 3 | 4 | 6,
  name: string,
  samples: number,
  depths: readonly number[],
])[] = [
  [0, 'grey', 1, [1, 2, 4, 8, 16]],
  [2, 'RGB', 3, [8, 16]],
  [3, 'a palette', 1, [1, 2, 4, 8]],
  [4, 'grey and opacity', 2, [8, 16]],
  [6, 'RGB and opacity', 4, [8, 16]],
]

const drawn = (colour: Drawing['colour'], samples: number, depth: number): Drawing => {
  const colours = Math.min(200, 2 ** depth)
  const limit = colour === 3 ? colours - 1 : most(depth)
  return {
    width: 21,
    height: 13,
    depth,
    colour,
    sampleAt: (x, y) => Array.from({ length: samples }, (_, channel) => noise(x, y, channel) % (limit + 1)),
    ...(colour === 3
      ? { palette: Uint8Array.from({ length: 3 * colours }, (_, at) => (at * 89 + 40) % 256) }
      : {}),
  }
}

const colourAt = ({ sampleAt, palette, depth, colour }: Drawing, x: number, y: number): number[] => {
  const samples = sampleAt(x, y)
  const [first = 0] = samples
  if (palette !== undefined) return [...palette.subarray(3 * first, 3 * first + 3)]
  const rgb = colour === 0 || colour === 4 ? [first, first, first] : samples.slice(0, 3)
  return rgb.map((sample) => eightBits(sample, depth))
}

const everyPoint = <Value>({ width, height }: Drawing, valueAt: (x: number, y: number) => Value): Value[] =>
  Array.from({ length: width * height }, (_, point) => valueAt(point % width, Math.floor(point / width)))

const assertNear = (actual: readonly number[][] | undefined, expected: readonly number[][]): void => {
  assert.equal(actual?.length, expected.length)
  for (const [point, colour] of expected.entries())
    for (const [channel, value] of colour.entries())
      assert.ok(
        Math.abs((actual?.[point]?.[channel] ?? -9) - value) <= 1,
        `point ${point}: ${actual?.[point]} is not ${colour}`,
      )
}

const grey = (value: number): number[] => [value, value, value]

describe('a PNG in a PDF', async () => {
  const skip = await skipWithout('pdfimages')

  for (const [colour, name, samples, depths] of colourTypes)
    for (const depth of depths)
      for (const isInterlaced of [false, true])
        test(`of ${name} with ${depth} bits${isInterlaced ? ', interlaced' : ''}, has its pixels for Poppler`, {
          skip,
        }, async () => {
          const drawing = { ...drawn(colour, samples, depth), isInterlaced, dataChunks: 3 }
          const image = await imageOfPng(encodePng(drawing), zlib)
          const [colours, opacity] = await imagesOf(await pdfWith(image))
          assert.deepEqual([colours?.width, colours?.height], [21, 13])
          // pdfimages writes pictures of two colours as black and white, whatever the colours are.
          if (colour !== 3 || depth > 1)
            assertNear(
              colours?.points,
              everyPoint(drawing, (x, y) => colourAt(drawing, x, y)),
            )
          const opaque = everyPoint(drawing, (x, y) =>
            grey(eightBits(drawing.sampleAt(x, y).at(-1) ?? 0, depth)),
          )
          if (colour >= 4) assertNear(opacity?.points, opaque)
          else assert.equal(opacity, undefined)
        })

  for (const filter of [0, 1, 2, 3, 4])
    test(`with filter ${filter} in all rows has its pixels for Poppler`, { skip }, async () => {
      const drawing: Drawing = { ...drawn(6, 4, 8), filterOf: () => filter }
      const image = await imageOfPng(encodePng(drawing), zlib)
      const [colours] = await imagesOf(await pdfWith(image))
      assertNear(
        colours?.points,
        everyPoint(drawing, (x, y) => colourAt(drawing, x, y)),
      )
    })

  for (const [colour, name, samples, depths] of colourTypes.slice(0, 3))
    for (const depth of depths)
      test(`of ${name} with ${depth} bits has the points transparent that tRNS names`, { skip }, async () => {
        const base = drawn(colour, samples, depth)
        const key = base.sampleAt(5, 5)
        const transparency =
          colour === 3
            ? Uint8Array.of(0, 128)
            : Uint8Array.from(key.flatMap((sample) => [sample >> 8, sample & 255]))
        const drawing = { ...base, transparency }
        const image = await imageOfPng(encodePng(drawing), zlib)
        const [colours, opacity] = await imagesOf(await pdfWith(image))
        if (colour !== 3 || depth > 1)
          assertNear(
            colours?.points,
            everyPoint(drawing, (x, y) => colourAt(drawing, x, y)),
          )
        const expected = everyPoint(drawing, (x, y) => {
          const own = drawing.sampleAt(x, y)
          if (colour === 3) return grey(transparency[own[0] ?? 0] ?? 255)
          return grey(own.every((sample, index) => sample === key[index]) ? 0 : 255)
        })
        assertNear(opacity?.points, expected)
        assert.ok(expected.some(([value]) => value === 0))
      })

  test('of two colours has these colours on the page', { skip }, async () => {
    const palette = Uint8Array.of(200, 30, 40, 10, 90, 220)
    const drawing = {
      ...drawn(3, 1, 1),
      width: 8,
      height: 8,
      sampleAt: (x: number) => [x < 4 ? 0 : 1],
      palette,
    }
    const image = await imageOfPng(encodePng(drawing), zlib)
    await using file = await writePdf(await pdfWith(image))
    await runTool('pdftoppm', ['-r', '72', '-singlefile', file.path, file.beside('page')])
    const page = readPnm(await readFile(file.beside('page.ppm')))
    assertNear(
      [page.points[30 * 300 + 30] ?? [], page.points[30 * 300 + 90] ?? []],
      [
        [200, 30, 40],
        [10, 90, 220],
      ],
    )
  })

  test('is passed on as it is compressed, unless it has transparent points or is interlaced', async () => {
    const kindOf = async (drawing: Drawing) => (await imageOfPng(encodePng(drawing), zlib)).content.kind
    assert.equal(await kindOf(drawn(2, 3, 8)), 'png')
    assert.equal(await kindOf(drawn(6, 4, 8)), 'deflated')
    assert.equal(await kindOf({ ...drawn(2, 3, 8), isInterlaced: true }), 'deflated')
  })
})

/** A JPEG of 8 by 8 grey points. */
const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffdb004300' +
    '01'.repeat(64) +
    'ffc0000b080008000801011100ffc4001400010000000000000000000000000000000900ffc40014100100000000000000000000000000000000ffda0008010100003f0054ffd9',
  'hex',
)

describe('a JPEG in a PDF', async () => {
  test('has the bytes of its file', { skip: await skipWithout('pdfimages') }, async () => {
    const image = imageOfJpeg(jpeg)
    assert.ok(image)
    assert.deepEqual([image.width, image.height, image.colours], [8, 8, 'grey'])
    await using file = await writePdf(await pdfWith(image))
    await runTool('pdfimages', ['-j', file.path, file.beside('image')])
    assert.deepEqual(await readFile(file.beside('image-000.jpg')), jpeg)
  })

  test('is read for its size and colours, wherever its frame is', () => {
    const frame = (marker: string, samples: string) =>
      Buffer.from(`ffd8fffe0004abcdff${marker}0011080102030${samples}${'00'.repeat(20)}ffd9`, 'hex')
    const read = (marker: string, samples: string) => {
      const image = imageOfJpeg(frame(marker, samples))
      return image && [image.height, image.width, image.colours]
    }
    assert.deepEqual(read('c0', '303'), [0x0102, 0x0303, 'rgb'])
    assert.deepEqual(read('c1', '303'), [0x0102, 0x0303, 'rgb'])
    assert.deepEqual(read('c2', '301'), [0x0102, 0x0303, 'grey'])
    // Four colours, and a frame that a PDF may not have.
    assert.equal(read('c0', '304'), undefined)
    assert.equal(read('c3', '303'), undefined)
    assert.equal(imageOfJpeg(jpeg.subarray(0, 30)), undefined)
  })
})
