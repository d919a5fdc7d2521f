import type { Block, DocumentModel, Party, Section, Text } from '../../model/document.ts'
import type { PdfRequest } from '../request.ts'
import { arrangeFields } from './arrange-fields.ts'
import { arrangeTable } from './arrange-table.ts'
import { columnsWidth, pageWidth } from './grid.ts'
import { heightOf } from './height.ts'
import type { Measure } from './measure.ts'
import { nameFiles } from './name-files.ts'
import type { PageBlock, PageModel, PageSection } from './page-model.ts'
import { createPictures, type Pictures } from './pictures.ts'
import { printableDocument } from './printable-document.ts'
import type { Printable } from './printable.ts'
import { qrDrawing } from './qr.ts'
import { wordsIn } from './words.ts'
import { withoutUndefined } from '../../model/without-undefined.ts'

/** Part of the PDF metadata. Increase it whenever the same document would give different bytes. */
const rendererVersion = '3'

export type Arranged = {
  readonly page: PageModel
  /** The files that the page refers to, by path. */
  readonly files: ReadonlyMap<string, Buffer>
}

export type ToArrange = PdfRequest & { readonly layoutPath: string }

export type Tools = {
  readonly printable: Printable
  readonly measure: Measure
  /** The paths of pictures that the engine cannot decode. */
  readonly brokenPictures: ReadonlySet<string>
}

type InDocument = { readonly measure: Measure; readonly pictures: Pictures }

/** Makes the input of a layout: printable texts, tables and fields arranged for a page, and the files. */
export const arrange = (request: ToArrange, { printable, measure, brokenPictures }: Tools): Arranged => {
  const { mode, layoutPath } = request
  const document = printableDocument(request.document, printable)
  const files = new Map<string, Buffer>()
  files.set('/certificate.json', Buffer.from(request.certificateBytes))
  files.set('/qr.svg', Buffer.from(qrDrawing(request.verifyUrl)))
  const inDocument: InDocument = { measure, pictures: createPictures(files, brokenPictures) }
  const { logo = request.layout?.logo, number, ...rest } = document
  const page: PageModel = withoutUndefined({
    ...rest,
    languages: document.languages.map(languageOf),
    rendererVersion,
    layoutPath,
    shortTitle: shorten(document.title[0] ?? '', 40),
    shortStandard: shorten(document.standard ?? '', 20),
    shortNumber: shorten(number ?? '', 24),
    words: wordsIn(document.languages),
    mode,
    verification: verificationOf(request, measure),
    day: dayOf(document),
    title: document.title.map((text) => measure.breakable(text, 20, pageWidth - headWidth)),
    number: number === undefined ? undefined : measure.breakable(number, 10, headWidth),
    logo: logo === undefined ? undefined : inDocument.pictures(logo),
    parties: document.parties.map((party) => arrangeParty(party, measure)),
    sections: document.sections.map((section) => arrangeSection(section, inDocument)),
    files: nameFiles(document.files, files),
  })
  return { page, files }
}

const shorten = (text: string, maxLength: number): string => {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`
}

const headWidth = 170
const footerWidth = pageWidth - 34 - 90 - 16

/** The language code for the engine; English if the tag is not a language. */
const languageOf = (tag: string): string => /^[a-z]{2,3}(?![a-z])/.exec(tag.toLowerCase())?.[0] ?? 'en'

const verificationOf = ({ verifyUrl: url, hash }: ToArrange, measure: Measure) => ({
  url,
  shownUrl: measure.breakable(url, 6.8, footerWidth),
  hash,
  shortHash: hash.slice(0, 16).replaceAll(/(.{4})(?=.)/gu, '$1 '),
})

/**
 * A PDF/A with attachments needs a date. Without one in the certificate it is 1970-01-01: today would change the bytes.
 */
const dayOf = ({ date }: DocumentModel): readonly [number, number, number] => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(date ?? '') ?? []
  const found = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const isReal = found.getUTCDate() === Number(day) && found.getUTCMonth() === Number(month) - 1
  return isReal && Number(year) > 999 ? [Number(year), Number(month), Number(day)] : [1970, 1, 1]
}

const cardWidth = columnsWidth(1, pageWidth)

const arrangeParty = (party: Party, measure: Measure): Party => ({
  ...party,
  role: party.role.map((text) => measure.breakable(text, 6.8, cardWidth)),
  name: measure.breakable(party.name, 10, cardWidth),
  lines: party.lines.map((line) => ({ ...line, value: measure.breakable(line.value, 8, cardWidth) })),
})

/** The rule at the side of a declaration and the space between it and the text. */
const declarationInset = 12

const arrangeSection = (section: Section, inDocument: InDocument): PageSection => {
  const width = section.role === 'declaration' ? pageWidth - declarationInset : pageWidth
  const { title } = section
  const blocks = section.blocks.map((block) => arrangeBlock(block, { ...inDocument, width }))
  return withoutUndefined({
    ...section,
    together: heightOf(blocks, { measure: inDocument.measure, width }) < tallestTogether,
    title: title?.map((text) => inDocument.measure.breakable(text, 11, pageWidth)),
    blocks,
  })
}

/** Half a page, in points. */
const tallestTogether = 350

type InSection = InDocument & { readonly width: number }

const arrangeBlock = (block: Block, inSection: InSection): PageBlock => {
  if (block.kind === 'fields') return { kind: 'fields', fields: arrangeFields(block.fields, inSection) }
  if (block.kind === 'table') return { kind: 'table', table: arrangeTable(block.table, inSection) }
  if (block.kind === 'picture') return { ...block, picture: inSection.pictures(block.picture) }
  // Two languages are side by side, each with half the width.
  const columns: Text = block.text.map((text) =>
    inSection.measure.breakable(text, 9, inSection.width / 2 - 8),
  )
  return { kind: block.kind, text: columns }
}
