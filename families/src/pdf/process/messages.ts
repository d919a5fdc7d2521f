import type { PdfFailure, PdfRequest } from '../request.ts'

/** The start argument of a rendering process. */
export type Start = { readonly maxResidentBytes: number }

export type Order = { readonly request: PdfRequest }

export type Reply =
  | { readonly ready: true }
  | { readonly pdf: Uint8Array; readonly residentBytes: number }
  | { readonly failure: PdfFailure; readonly message: string; readonly residentBytes: number }
