import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import { type FixWeight, type Font, openFixWeight, readFont, readWoff2 } from '@millseal/pdf'
import { exportOf, fileOf } from './packages.ts'

/** Fonts for scripts that the fonts of the page lack. Each is in many small files, of which few are needed. */
export type ScriptFonts = {
  /** The fonts for these characters, in the order in which they are searched. */
  readonly fontsFor: (text: string) => Promise<readonly Font[]>
}

/** A file with some characters of a font. */
type Slice = { readonly ranges: readonly Range[]; readonly path: string; readonly isVariable: boolean }
/** All slices, and the first one for each of their characters. */
type Slices = { readonly all: readonly Slice[]; readonly first: ReadonlyMap<number, Slice> }
type Range = { readonly first: number; readonly last: number }

/** With one weight: the package has a file for the script. */
const scripts = ['thai', 'devanagari', 'hebrew', 'arabic']
/** With all weights, so that the package has 5 MB instead of 90: simplified Chinese, Japanese, traditional Chinese, Korean. */
const ideographs = ['sc', 'jp', 'tc', 'kr']

const regular = 400

export const openScriptFonts = (): ScriptFonts => {
  const opened = new Map<Slice, Promise<Font>>()
  let slices: Promise<Slices> | undefined
  let fixWeight: Promise<FixWeight> | undefined
  const open = async ({ path, isVariable }: Slice): Promise<Font> => {
    const font = readWoff2(await readFile(path), brotliDecompressSync)
    if (!isVariable) return readFont(font)
    fixWeight ??= readFile(exportOf('harfbuzzjs/dist/harfbuzz-subset.wasm')).then(openFixWeight)
    return readFont((await fixWeight)(font, regular))
  }
  return {
    fontsFor: async (text) => {
      const codePoints = [...new Set(text.match(otherScripts))].map(codePointOf)
      if (codePoints.length === 0) return []
      slices ??= readSlices()
      const needed = slicesOf(codePoints, await slices)
      for (const slice of needed) if (!opened.has(slice)) opened.set(slice, open(slice))
      return Promise.all(needed.flatMap((slice) => opened.get(slice) ?? []))
    },
  }
}

const otherScripts =
  /[\p{Script=Thai}\p{Script=Devanagari}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]/gu

const codePointOf = (character: string): number => character.codePointAt(0) ?? 0

/** The first slice for each character, in the order of all slices. */
const slicesOf = (codePoints: readonly number[], { all, first }: Slices): readonly Slice[] => {
  const needed = new Set(codePoints.map((codePoint) => first.get(codePoint)))
  return all.filter((slice) => needed.has(slice))
}

const readSlices = async (): Promise<Slices> => {
  const lists = [
    ...scripts.map((script) => ({ family: `noto-sans-${script}`, only: script })),
    ...ideographs.map((script) => ({ family: `noto-sans-${script}`, only: undefined })),
  ]
  const all = (await Promise.all(lists.map(readPackage))).flat()
  const first = new Map<number, Slice>()
  for (const slice of all)
    for (const { first: from, last } of slice.ranges)
      for (let codePoint = from; codePoint <= last; codePoint += 1)
        if (!first.has(codePoint)) first.set(codePoint, slice)
  return { all, first }
}

const readPackage = async ({
  family,
  only,
}: {
  family: string
  only: string | undefined
}): Promise<Slice[]> => {
  const packageName = only === undefined ? `@fontsource-variable/${family}` : `@fontsource/${family}`
  const ranges = JSON.parse(await readFile(fileOf(packageName, 'unicode.json'), 'utf8')) as Record<
    string,
    string
  >
  return Object.entries(ranges).flatMap(([name, list]) => {
    const slice = name.replaceAll(/[[\]]/gu, '')
    const file =
      only === undefined ? `${family}-${slice}-wght-normal.woff2` : `${family}-${slice}-400-normal.woff2`
    if (only === undefined ? !/^\d+$/u.test(slice) : slice !== only) return []
    return [
      {
        ranges: readRanges(list),
        path: fileOf(packageName, `files/${file}`),
        isVariable: only === undefined,
      },
    ]
  })
}

/** `U+4-1F,U+20`. */
const readRanges = (list: string): Range[] =>
  list.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/iu, '').split('-')
    return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) }
  })
