import { readFileSync } from 'node:fs'
import {
  createTypeface,
  type Font,
  loadShaper,
  needsShaping,
  readFont,
  type Shaper,
  type Typeface,
} from '@millseal/pdf'
import { fileOf } from './packages.ts'
import { openScriptFonts } from './script-fonts.ts'

export type FontLibrary = {
  /** The typeface for a document with these `unusualTexts`. Fonts and shaper for other scripts are loaded when needed. */
  readonly typefaceFor: (unusual: readonly string[]) => Promise<Typeface>
}

const open = (packageName: string, path: string): Font => readFont(readFileSync(fileOf(packageName, path)))

/** Latin, Greek and Cyrillic letters, in two weights, and symbols. */
export const openFonts = (): FontLibrary => {
  const regular = open('@expo-google-fonts/ibm-plex-sans', '400Regular/IBMPlexSans_400Regular.ttf')
  const strong = open('@expo-google-fonts/ibm-plex-sans', '600SemiBold/IBMPlexSans_600SemiBold.ttf')
  const symbols = open('dejavu-fonts-ttf', 'ttf/DejaVuSans.ttf')
  const scripts = openScriptFonts()
  const common = createTypeface({ regular, strong, others: [symbols], shaper: undefined })
  let shaper: Promise<Shaper> | undefined
  return {
    typefaceFor: async (unusual) => {
      if (unusual.length === 0) return common
      const text = unusual.join(' ')
      const others = await scripts.fontsFor(text)
      const isShaped = needsShaping(text)
      if (others.length === 0 && !isShaped) return common
      if (isShaped) shaper ??= loadShaper()
      return createTypeface({ regular, strong, others: [...others, symbols], shaper: await shaper })
    },
  }
}
