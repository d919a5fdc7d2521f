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
import type { DocumentModel } from '../model/document.ts'
import { fileOf } from './packages.ts'
import { openScriptFonts } from './script-fonts.ts'

export type FontLibrary = {
  /** The typeface for a document. Fonts and shaper for other scripts than Latin are loaded when a text needs them. */
  readonly typefaceFor: (document: DocumentModel) => Promise<Typeface>
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
    typefaceFor: async (document) => {
      const text = textOf(document)
      const others = await scripts.fontsFor(text)
      const isShaped = needsShaping(text)
      if (others.length === 0 && !isShaped) return common
      if (isShaped) shaper ??= loadShaper()
      return createTypeface({ regular, strong, others: [...others, symbols], shaper: await shaper })
    },
  }
}

/** The texts of a document that have other characters than Latin letters. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return onlyLatin.test(value) ? '' : `${value} `
  if (typeof value !== 'object' || value === null) return ''
  let text = ''
  for (const [key, item] of Object.entries(value)) if (key !== 'base64') text += textOf(item)
  return text
}

const onlyLatin = /^[\n -~\u00A0-\u017F]*$/u
