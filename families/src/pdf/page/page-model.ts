import type { DocumentModel, Field, Party, Row, Text } from '../../model/document.ts'
import type { PageWords } from './words.ts'

/**
 * The input of a layout, `/page.json`: the document with printable texts, paths in place of pictures and files, and
 * tables and fields arranged for a page. Described in `docs/layouts.md`.
 */
export type PageModel = Omit<DocumentModel, 'logo' | 'sections' | 'files'> & {
  readonly rendererVersion: string
  readonly layoutPath: string
  /** For the headers and footers of pages, which have one line. */
  readonly shortTitle: string
  readonly shortStandard: string
  readonly shortNumber: string
  readonly words: PageWords
  readonly mode: 'test' | 'live'
  readonly verification: Verification
  /** The date of the PDF: year, month, day. */
  readonly day: readonly [number, number, number]
  readonly logo?: PagePicture
  readonly parties: readonly Party[]
  readonly sections: readonly PageSection[]
  readonly files: readonly PageFile[]
}

export type Verification = {
  readonly url: string
  /** The same with break opportunities. */
  readonly shownUrl: string
  readonly hash: string
  /** The first sixteen digits in groups of four. */
  readonly shortHash: string
}

export type PageSection = {
  readonly title?: Text
  readonly role?: 'declaration' | 'data'
  /** Whether it is short enough to be kept on one page. */
  readonly together: boolean
  readonly blocks: readonly PageBlock[]
}

export type PageBlock =
  | { readonly kind: 'fields'; readonly fields: readonly PageField[] }
  | { readonly kind: 'table'; readonly table: PageTable }
  | { readonly kind: 'paragraph'; readonly text: Text }
  | { readonly kind: 'heading'; readonly text: Text }
  | { readonly kind: 'picture'; readonly picture: PagePicture; readonly caption?: Text }

/** `span`: the number of columns, of three. */
export type PageField = Field & { readonly span: number }

export type PageTable = {
  readonly caption?: Text
  readonly columns: readonly PageColumn[]
  readonly rows: readonly Row[]
  /** Parts that fit the width of the page, each with the first column: column indexes and widths in points. */
  readonly parts: readonly TablePart[]
  /** The distance of each cell from the right edge in ems, which lines up the decimal signs. */
  readonly shifts: readonly (readonly number[])[]
  /** Left and right padding of a cell in points. */
  readonly inset: number
  /** Whether every row is one line, so that its height is known. */
  readonly oneLine: boolean
  /** Whether it is short enough to be kept on one page. */
  readonly together: boolean
  /** Whether rows may break across pages: only if one is nearly as tall as a page. */
  readonly breakable: boolean
}

export type PageColumn = {
  readonly label: Text
  readonly code?: string
  readonly unit?: string
  readonly align: 'start' | 'end'
}

export type TablePart = { readonly columns: readonly number[]; readonly widths: readonly number[] }

/** Without `path` if the picture could not be read; the alternative text is shown then. */
export type PagePicture = { readonly path?: string; readonly alternative: Text }

export type PageFile = {
  /** Unique and without a path. */
  readonly name: string
  /** Absent if the file is empty; such a file is only listed. */
  readonly path?: string
  readonly type: string
  readonly description?: string
  readonly bytes: number
}
