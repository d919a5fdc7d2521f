import type { Block, Party, Section, Table, Text } from '../../model/document.ts'
import { arrangeFields } from './arrange-fields.ts'
import { arrangeTable } from './arrange-table.ts'
import { columnsWidth, pageWidth } from './grid.ts'
import type { Measure } from './measure.ts'
import type { PageBlock, PageModel, PageSection } from './page-model.ts'
import { nameFiles } from './name-files.ts'
import { type Pictures, createPictures } from './pictures.ts'
import type { Printable } from './printable.ts'
import { qrDrawing } from './qr.ts'
import type { PdfRequest } from '../request.ts'
import { wordsIn } from './words.ts'

export const rendererVersion = '1'

export type Arranged = {
  readonly page: PageModel
  /** What the page names by path. */
  readonly files: ReadonlyMap<string, Buffer>
}

export type ToArrange = PdfRequest & { readonly layoutPath: string }

export type Means = {
  readonly printable: Printable
  readonly measure: Measure
  /** By path: those the engine could not decode. */
  readonly brokenPictures: ReadonlySet<string>
}

/** Makes of a document what a layout is given: printable, arranged for a page, and with its files beside it. */
export const arrange = (request: ToArrange, means: Means): Arranged => {
  const { document, mode, verifyUrl } = request
  const { printable } = means
  const files = new Map<string, Buffer>()
  files.set('/certificate.json', Buffer.from(request.certificateBytes))
  files.set('/qr.svg', Buffer.from(qrDrawing(verifyUrl)))
  const pictures = createPictures(files, means)
  const { logo, standard, number, date, files: attached, ...rest } = document
  const shownLogo = logo ?? request.layout?.logo
  const page: PageModel = {
    ...rest,
    rendererVersion,
    layoutPath: request.layoutPath,
    words: wordsIn(document.languages),
    mode,
    verification: verificationOf(request, means),
    day: dayOf(date),
    title: document.title.map(printable),
    ...(standard === undefined ? {} : { standard: printable(standard) }),
    ...(number === undefined ? {} : { number: printable(number) }),
    ...(date === undefined ? {} : { date: printable(date) }),
    ...(shownLogo === undefined ? {} : { logo: pictures(shownLogo) }),
    parties: document.parties.map((party) => arrangeParty(party, means)),
    sections: document.sections.map((section) => arrangeSection(section, means, pictures)),
    files: nameFiles(attached, printable, files),
    warnings: document.warnings.map(({ pointer, reason }) => ({
      pointer: printable(pointer),
      reason: printable(reason),
    })),
  }
  return { page, files }
}

const footerWidth = pageWidth - 150

const verificationOf = ({ verifyUrl: url, hash }: ToArrange, { measure }: Means) => ({
  url,
  shownUrl: measure.breakable(url, 6.8, footerWidth),
  hash,
  shortHash: hash.slice(0, 16).replaceAll(/(.{4})(?=.)/gu, '$1 '),
})

/** A PDF/A with attachments needs a date; a certificate without one gets the first there is, never today's. */
const dayOf = (date: string | undefined): readonly [number, number, number] => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(date ?? '') ?? []
  const found = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  const isReal = found.getUTCDate() === Number(day) && found.getUTCMonth() === Number(month) - 1
  return isReal && Number(year) > 0 ? [Number(year), Number(month), Number(day)] : [1970, 1, 1]
}

const cardWidth = columnsWidth(1, pageWidth)

const arrangeParty = (party: Party, { printable, measure }: Means): Party => ({
  ...party,
  role: party.role.map(printable),
  name: measure.breakable(printable(party.name), 9.5, cardWidth),
  lines: party.lines.map(({ label, value }) => ({
    ...(label === undefined ? {} : { label: label.map(printable) }),
    value: measure.breakable(printable(value), 8, cardWidth),
  })),
})

const arrangeSection = (section: Section, means: Means, pictures: Pictures): PageSection => ({
  ...(section.title === undefined ? {} : { title: section.title.map(means.printable) }),
  ...(section.role === undefined ? {} : { role: section.role }),
  blocks: section.blocks.map((block) =>
    arrangeBlock(block, {
      ...means,
      pictures,
      width: section.role === undefined ? pageWidth : declarationWidth,
    }),
  ),
})

const declarationWidth = pageWidth - 12

type BlockMeans = Means & { readonly pictures: Pictures; readonly width: number }

const arrangeBlock = (block: Block, means: BlockMeans): PageBlock => {
  const texts = (text: Text): Text => text.map(means.printable)
  if (block.kind === 'fields') return { kind: 'fields', fields: arrangeFields(block.fields, means) }
  if (block.kind === 'table') {
    return { kind: 'table', table: arrangeTable(printableTable(block.table, means.printable), means) }
  }
  if (block.kind === 'picture') {
    const picture = means.pictures(block.picture)
    return {
      kind: 'picture',
      picture,
      ...(block.caption === undefined ? {} : { caption: texts(block.caption) }),
    }
  }
  const width = means.width / 2 - 8
  return { kind: block.kind, text: texts(block.text).map((text) => means.measure.breakable(text, 9, width)) }
}

const printableTable = ({ caption, columns, rows }: Table, printable: Printable): Table => ({
  ...(caption === undefined ? {} : { caption: caption.map(printable) }),
  columns: columns.map((column) => ({
    ...column,
    label: column.label.map(printable),
    ...(column.unit === undefined ? {} : { unit: printable(column.unit) }),
  })),
  rows: rows.map((row) => ({ ...row, cells: row.cells.map(printable) })),
})
