import {
  inline,
  type Line,
  linesOf,
  type TextStyle,
  type Typeface,
  type Element,
  type Structure,
} from '@millseal/pdf'
import type { Colour } from '@millseal/pdf'
import type { Text } from '../../model/document.ts'
import { colours } from './look.ts'
import type { Pictures } from './pictures.ts'

/** What all parts of a page are drawn with. */
export type Setting = {
  readonly typeface: Typeface
  readonly structure: Structure
  readonly languages: readonly string[]
  readonly accent: Colour
  readonly pictures: Pictures
}

/** A column of the page. */
export type Column = { readonly x: number; readonly width: number }

/** A text as one styled text per language; the second language is lighter, and left out if it says the same. */
export const inLanguages = (
  texts: Text,
  style: TextStyle,
  { languages }: Setting,
): readonly { readonly text: string; readonly style: TextStyle }[] => {
  const [first = '', second = ''] = texts
  const own = { text: first, style }
  if (second === '' || second === first) return [own]
  const language = languages[1]
  const lighter: TextStyle = { ...style, weight: 'regular', colour: colours.light }
  return [own, { text: second, style: language === undefined ? lighter : { ...lighter, language } }]
}

/** The lines of a text in the languages of the document, beside each other if they fit. */
export const textLines = (
  texts: Text,
  style: TextStyle,
  {
    setting,
    element,
    width,
  }: { readonly setting: Setting; readonly element: Element; readonly width: number },
): Line[] => inline(inLanguages(texts, style, setting), { typeface: setting.typeface, element, width })

export const plainLines = (
  text: string,
  style: TextStyle,
  {
    setting,
    element,
    width,
  }: { readonly setting: Setting; readonly element: Element; readonly width: number },
): Line[] => linesOf(text, style, { typeface: setting.typeface, element, width })
