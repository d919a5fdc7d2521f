import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type FontMetrics, readFontMetrics } from './page/font-metrics.ts'

const require = createRequire(import.meta.url)

const folder = (packageName: string, path: string): string =>
  join(dirname(require.resolve(`${packageName}/package.json`)), path)

const plex = folder('@expo-google-fonts/ibm-plex-sans', '400Regular')
const plexStrong = folder('@expo-google-fonts/ibm-plex-sans', '600SemiBold')
const notoSc = folder('@expo-google-fonts/noto-sans-sc', '400Regular')

/** Folders of one font each: Typst reads such a file when a glyph of it is used, so ten megabytes of Chinese may stay on disk. */
export const fontFolders: readonly string[] = [plex, plexStrong, notoSc]

export const symbolFont: string = join(folder('dejavu-fonts-ttf', 'ttf'), 'DejaVuSans.ttf')

/** In the order in which a glyph is looked for, as in `layouts/components.typ`. */
const chain = [
  join(plex, 'IBMPlexSans_400Regular.ttf'),
  join(notoSc, 'NotoSansSC_400Regular.ttf'),
  symbolFont,
] as const

/** The fonts as one: each is read when those before it lack a character. */
export type FontChain = FontMetrics & {
  /** Whether the same font is the first for each: the engine loses letters whose marks another font would draw. */
  readonly areFromOneFont: (codePoints: readonly number[]) => boolean
}

export const openFonts = (): FontChain => {
  const opened: FontMetrics[] = []
  const at = (index: number): FontMetrics => {
    opened[index] ??= readFontMetrics(readFileSync(chain[index] ?? symbolFont))
    return opened[index]
  }
  const indexes = chain.map((_, index) => index)
  const fontOf = (codePoint: number): FontMetrics | undefined => {
    const found = indexes.find((index) => at(index).covers(codePoint))
    return found === undefined ? undefined : at(found)
  }
  return {
    covers: (codePoint) => fontOf(codePoint) !== undefined,
    advance: (codePoint) => fontOf(codePoint)?.advance(codePoint) ?? 600,
    areFromOneFont: (codePoints) => new Set(codePoints.map(fontOf)).size === 1,
  }
}
