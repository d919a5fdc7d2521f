import {
  drawLines,
  drawUnmarked,
  type Element,
  inline,
  type Line,
  linesOf,
  type Page,
  widthOf,
} from '@millseal/pdf'
import type { DocumentModel } from '../../model/document.ts'
import type { PdfRequest } from '../request.ts'
import { area, colours, paper, strong, style } from './look.ts'
import { inLanguages, plainLines, type Setting } from './setting.ts'
import type { PageWords } from './words.ts'

/** What is around the certificate on each page. */
export type Margins = {
  readonly behind: (page: Page) => void
  readonly around: (page: Page, place: { readonly number: number; readonly of: number }) => void
}

type Sheet = {
  readonly request: PdfRequest
  readonly document: DocumentModel
  readonly words: PageWords
  readonly setting: Setting
  /** The resource of the QR code. */
  readonly code: string
}

export const createMargins = (sheet: Sheet): Margins => {
  const { setting, request } = sheet
  const element = setting.structure.add('P', setting.structure.root)
  const lines = verificationLines(sheet, element)
  return {
    behind: (page) => {
      const draft = request.isDraft ? 'DRAFT' : undefined
      const mark = request.mode === 'test' ? 'TEST' : draft
      if (mark !== undefined) watermark(page, mark, setting)
    },
    around: (page, { number, of }) => {
      const draw = number === 1 ? drawLines : drawUnmarked
      page.artifact(() => {
        page.rule({ x: area.x, y: footTop, width: area.width, stroke: 0.4, colour: colours.hairline })
        page.picture(sheet.code, { x: area.x, y: codeTop, width: codeSize, height: codeSize })
      }, 'Footer')
      draw(page, lines, { x: area.x + codeSize + 10, top: codeTop + 1, typeface: setting.typeface })
      drawUnmarked(page, pageLines(sheet, element, `${number} / ${of}`), {
        x: area.x + area.width - pageWidth,
        top: codeTop + 1,
        typeface: setting.typeface,
      })
      if (number > 1) runningHead(page, sheet, element)
    },
  }
}

/** 17 mm: a code of 40 characters is read from a copy of a fax. */
const codeSize = 48.2
const footTop = paper.height - 80
const codeTop = footTop + 7
const pageWidth = 90

const verificationLines = (sheet: Sheet, element: Element): Line[] => {
  const { request, words, setting, document } = sheet
  const { typeface } = setting
  const width = area.width - codeSize - 10 - pageWidth - 8
  const small = style(6.8, colours.grey)
  const inWidth = { typeface, element, width }
  const footer = document.look?.footer
  const marks = [
    ...(request.isDraft ? [words.draft] : []),
    ...(request.mode === 'test' ? [words.testMode] : []),
  ]
  return [
    ...inline(inLanguages(words.verify, small, setting), inWidth),
    ...linesOf(request.verifyUrl, style(6.8), inWidth),
    ...linesOf(`SHA-256 ${grouped(request.hash)}`, style(5.6, colours.grey), inWidth),
    ...marks.flatMap(([mark = '']) => linesOf(mark, strong(6.8, colours.red), inWidth)),
    ...(footer === undefined ? [] : inline(inLanguages(footer, small, setting), inWidth).slice(0, 2)),
  ]
}

/** In groups of eight, as people compare digits. */
const grouped = (hash: string): string => hash.replaceAll(/(.{8})(?=.)/gu, '$1 ')

const pageLines = ({ document, setting }: Sheet, element: Element, place: string): Line[] =>
  [shorten(document.number ?? '', 24), place].map((text, index) => {
    const own = style(6.8, index === 0 ? colours.ink : colours.grey)
    return {
      element,
      height: 8.3,
      parts: [{ text, style: own, x: pageWidth - widthOf(text, own, setting.typeface) }],
    }
  })

const headTop = 22

const runningHead = (page: Page, { document, setting }: Sheet, element: Element): void => {
  const {
    title: [title = ''],
    standard = '',
    number = '',
  } = document
  const { typeface } = setting
  const left = [shorten(title, 60), shorten(standard, 24)].filter((text) => text !== '').join(' · ')
  const width = area.width / 2
  const right = shorten(number, 24)
  const rightStyle = strong(7, colours.grey)
  drawUnmarked(page, plainLines(left, style(7, colours.grey), { setting, element, width }).slice(0, 1), {
    x: area.x,
    top: headTop,
    typeface,
  })
  drawUnmarked(page, [{ element, height: 8.5, parts: [{ text: right, style: rightStyle, x: 0 }] }], {
    x: area.x + area.width - widthOf(right, rightStyle, typeface),
    top: headTop,
    typeface,
  })
  page.artifact(() =>
    page.rule({ x: area.x, y: headTop + 12, width: area.width, stroke: 0.4, colour: colours.hairline }),
  )
}

const watermark = (page: Page, mark: string, { typeface }: Setting): void =>
  page.artifact(
    () =>
      page.turned(
        {
          runs: typeface.runsOf(mark, 'strong'),
          x: paper.width / 2,
          y: paper.height / 2,
          size: mark.length > 4 ? 120 : 190,
          colour: colours.watermark,
        },
        52,
      ),
    'Watermark',
  )

const shorten = (text: string, most: number): string => {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}
