/**
 * What a certificate looks like on paper, before anybody decides on paper or screen: the one model that HTML and PDF are
 * drawn from. Plain JSON, no markup. A text has one string per language of the document, in their order; what reads the
 * same in all of them, or came with the certificate and is translated by nobody, is a single string.
 */
export type Text = readonly string[]

export type DocumentModel = {
  /** Of this shape; a layout says which it was written for. */
  readonly modelVersion: 1
  /** `en10168`, `coa`, `e-coc`, `metals`, or `generic` for a schema without a mapper of its own. */
  readonly family: string
  /** BCP 47, one or two of those the certificate asks for; the first is the language of the document. */
  readonly languages: readonly string[]
  readonly title: Text
  /** As on paper: "EN 10204 3.1". */
  readonly standard?: string
  readonly number?: string
  /** ISO, as submitted. */
  readonly date?: string
  readonly logo?: Picture | MissingPicture
  readonly parties: readonly Party[]
  readonly sections: readonly Section[]
  /** Files that travel inside the certificate. */
  readonly files: readonly FileReference[]
  /** What could not be shown as submitted (an image that does not decode, say): shown, and told to the caller. */
  readonly warnings: readonly Warning[]
}

export type Party = {
  readonly role: Text
  /** The code of the field in its standard: A01. */
  readonly code?: string
  readonly name: string
  /** Address lines, identifiers, contacts, in order. */
  readonly lines: readonly PartyLine[]
}

export type PartyLine = { readonly label?: Text; readonly value: string }

export type Section = {
  readonly title?: Text
  /** The part in which somebody answers for the rest: statement, date, names, stamp. */
  readonly role?: 'declaration'
  readonly blocks: readonly Block[]
}

export type Block =
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'paragraph'; readonly text: Text }
  | { readonly kind: 'heading'; readonly text: Text }
  | { readonly kind: 'picture'; readonly picture: Picture | MissingPicture; readonly caption?: Text }

export type Field = {
  readonly label: Text
  readonly code?: string
  /** Digits as submitted. */
  readonly value: string
  readonly unit?: string
}

export type Table = {
  readonly caption?: Text
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

export type Column = {
  readonly label: Text
  readonly code?: string
  readonly unit?: string
  /** Numbers stand right, aligned at the decimal sign where a layout can. */
  readonly align: 'start' | 'end'
}

export type Row = {
  readonly cells: readonly string[]
  /** A row that says something about the others: a requirement, a mean, a limit. */
  readonly emphasis?: 'requirement' | 'result'
}

export type Picture = {
  readonly type: 'image/png' | 'image/jpeg'
  readonly base64: string
  readonly alternative: Text
}

/** Stands where a picture could not be read, so that its absence is seen. */
export type MissingPicture = { readonly missing: Text }

export type FileReference = {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly base64: string
}

export type Warning = { readonly pointer: string; readonly reason: string }
