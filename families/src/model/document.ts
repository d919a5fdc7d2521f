/**
 * The model of a printed certificate that both HTML and PDF are rendered from. Plain JSON, no markup. A text has one
 * string per language of the document, in the order of the languages. A text that is the same in all languages, or that
 * comes from the certificate and is not translated, is a single string.
 */
export type Text = readonly string[]

export type DocumentModel = {
  /** The version of this model. */
  readonly modelVersion: 1
  /** The name of a family, or `generic` for a schema that belongs to none. */
  readonly family: string
  /** One or two BCP 47 tags; the first is the main language of the document. */
  readonly languages: readonly string[]
  readonly title: Text
  /** For example "EN 10204 3.1". */
  readonly standard?: string
  readonly number?: string
  /** ISO 8601, as submitted. */
  readonly date?: string
  readonly logo?: Picture | MissingPicture
  readonly parties: readonly Party[]
  readonly sections: readonly Section[]
  /** The files attached to the certificate. */
  readonly files: readonly FileReference[]
  /** What could not be shown as submitted (a picture that cannot be decoded, for example). */
  readonly warnings: readonly Warning[]
  /** What renderers draw of the look of a company; `applyLook` has done the rest. */
  readonly look?: {
    /** `#rrggbb` instead of the accent of the family. */
    readonly accent?: string
    /** In the foot of each page on paper, below the last section of a page on a screen. */
    readonly footer?: Text
  }
}

export type Party = {
  readonly role: Text
  /** The field code of the standard: A01. */
  readonly code?: string
  readonly name: string
  /** Address lines, identifiers and contacts, in this order. */
  readonly lines: readonly PartyLine[]
}

export type PartyLine = { readonly label?: Text; readonly value: string }

export type Section = {
  /** The same in all languages, for the order of sections in a look. */
  readonly name?: string
  readonly title?: Text
  /**
   * `declaration`: the section with the declaration of conformity: statement, date, names, stamp. `data`: what the family
   * has no place for, in small type. `technical`: what only programs need, in one line at the end.
   */
  readonly role?: 'declaration' | 'data' | 'technical'
  readonly blocks: readonly Block[]
}

export type Block =
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'paragraph'; readonly text: Text }
  /** Named if a look may hide it, with the block after it. */
  | { readonly kind: 'heading'; readonly text: Text; readonly name?: string }
  | { readonly kind: 'picture'; readonly picture: Picture | MissingPicture; readonly caption?: Text }

export type Field = {
  /** Set if a look may hide the field. */
  readonly name?: string
  readonly label: Text
  readonly code?: string
  /** Numbers keep their digits as submitted. */
  readonly value: string
  readonly unit?: string
}

export type Table = {
  readonly caption?: Text | undefined
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

export type Column = {
  readonly label: Text
  readonly code?: string
  readonly unit?: string
  /** `end` for numbers, which are also aligned at the decimal sign. */
  readonly align: 'start' | 'end'
}

export type Row = {
  readonly cells: readonly string[]
  /** Set for rows with requirements or limits, and for the row with the result. */
  readonly emphasis?: 'requirement' | 'result'
}

export type Picture = {
  readonly type: 'image/png' | 'image/jpeg'
  readonly base64: string
  readonly alternative: Text
}

/** The visible placeholder for a picture that could not be read. */
export type MissingPicture = { readonly missing: Text }

export type FileReference = {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly base64: string
}

export type Warning = { readonly pointer: string; readonly reason: string }
