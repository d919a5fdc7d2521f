import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as harfBuzz from 'harfbuzzjs'
import { type Font, readFont } from '../src/fonts/font.ts'
import { loadShaper } from '../src/text/shaper.ts'
import { createTypeface, type Typeface } from '../src/text/typeface.ts'

const require = createRequire(import.meta.url)

/** A file of an installed package with fonts. */
export const fontFile = (packageName: string, path: string): Buffer =>
  readFileSync(join(dirname(require.resolve(`${packageName}/package.json`)), path))

const plex = '@expo-google-fonts/ibm-plex-sans'

export const regular: Font = readFont(fontFile(plex, '400Regular/IBMPlexSans_400Regular.ttf'))
export const strong: Font = readFont(fontFile(plex, '600SemiBold/IBMPlexSans_600SemiBold.ttf'))
export const symbols: Font = readFont(fontFile('dejavu-fonts-ttf', 'ttf/DejaVuSans.ttf'))

/** Latin, Greek, Cyrillic, Hebrew and Arabic letters, marks and symbols. */
export const openTypeface = async (): Promise<Typeface> =>
  createTypeface({ regular, strong, others: [symbols], shaper: await loadShaper() })

/** A font as HarfBuzz reads it, with its weight if it has several. */
export const inHarfBuzz = (file: Uint8Array, weight?: number): harfBuzz.Font => {
  const font = new harfBuzz.Font(new harfBuzz.Face(new harfBuzz.Blob(new Uint8Array(file))))
  if (weight !== undefined) font.setVariations([new harfBuzz.Variation('wght', weight)])
  return font
}
