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

/** Each folder has one font. Typst loads it when it needs a glyph of it, so the 10 MB of Chinese are rarely read. */
export const fontFolders: readonly string[] = [plex, plexStrong, notoSc]

export const symbolFont: string = join(folder('dejavu-fonts-ttf', 'ttf'), 'DejaVuSans.ttf')

/** In the order in which fonts are searched for a glyph, as in `layouts/components.typ`. */
const chain = [
  join(plex, 'IBMPlexSans_400Regular.ttf'),
  join(notoSc, 'NotoSansSC_400Regular.ttf'),
  symbolFont,
] as const

/** All fonts as one. A font is read once the fonts before it lack a character. */
export type FontChain = FontMetrics & {
  /** Whether one font draws all of them. The engine loses a letter if another font draws its mark. */
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
