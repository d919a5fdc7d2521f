import type { DocumentModel, Field, Party, Row, Text } from '../../model/document.ts'
import type { PageWords } from './words.ts'

/**
 * What a layout is given as `/page.json`: the document, with its texts made printable, its pictures and files as paths,
 * and its tables and fields arranged for a page. `docs/layouts.md` describes it.
 */
export type PageModel = Omit<DocumentModel, 'logo' | 'sections' | 'files'> & {
  readonly rendererVersion: string
  readonly layoutPath: string
  /** For heads and feet of pages, where one line has to do. */
  readonly shortTitle: string
  readonly shortStandard: string
  readonly shortNumber: string
  readonly words: PageWords
  readonly mode: 'test' | 'live'
  readonly verification: Verification
  /** What the document itself is dated: year, month, day. */
  readonly day: readonly [number, number, number]
  readonly logo?: PagePicture
  readonly parties: readonly Party[]
  readonly sections: readonly PageSection[]
  readonly files: readonly PageFile[]
}

export type Verification = {
  readonly url: string
  /** The same, where lines may break. */
  readonly shownUrl: string
  readonly hash: string
  /** The first sixteen digits, in fours. */
  readonly shortHash: string
}

export type PageSection = {
  readonly title?: Text
  readonly role?: 'declaration'
  /** Whether it is short enough not to be broken over pages. */
  readonly together: boolean
  readonly blocks: readonly PageBlock[]
}

export type PageBlock =
  | { readonly kind: 'fields'; readonly fields: readonly PageField[] }
  | { readonly kind: 'table'; readonly table: PageTable }
  | { readonly kind: 'paragraph'; readonly text: Text }
  | { readonly kind: 'heading'; readonly text: Text }
  | { readonly kind: 'picture'; readonly picture: PagePicture; readonly caption?: Text }

/** `span`: how many of three columns. */
export type PageField = Field & { readonly span: number }

export type PageTable = {
  readonly caption?: Text
  readonly columns: readonly PageColumn[]
  readonly rows: readonly Row[]
  /** The table in pieces that fit side by side on a page, each with the first column: by number, with widths in points. */
  readonly parts: readonly TablePart[]
  /** What each cell stands away from the right so that decimal signs are in line, in widths of an em. */
  readonly shifts: readonly (readonly number[])[]
  /** Left and right in a cell, in points. */
  readonly inset: number
  /** Whether each row is one line, and so of a height that is known. */
  readonly oneLine: boolean
  /** Whether it is short enough not to be broken over pages. */
  readonly together: boolean
  /** Whether rows may break over pages: only where one is nearly as tall as a page. */
  readonly breakable: boolean
}

export type PageColumn = {
  readonly label: Text
  readonly code?: string
  readonly unit?: string
  readonly align: 'start' | 'end'
}

export type TablePart = { readonly columns: readonly number[]; readonly widths: readonly number[] }

/** `path` is missing where the picture could not be read; the alternative then stands in its place. */
export type PagePicture = { readonly path?: string; readonly alternative: Text }

export type PageFile = {
  /** Unique, and without a path. */
  readonly name: string
  /** Missing for a file without bytes, which is listed only. */
  readonly path?: string
  readonly type: string
  readonly description?: string
  readonly bytes: number
}
