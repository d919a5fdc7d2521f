import type { PdfFailure, PdfRequest } from '../request.ts'

/** What a rendering process is started with. */
export type Start = { readonly mostResidentBytes: number }

export type Order = { readonly request: PdfRequest }

export type Answer =
  | { readonly ready: true }
  | { readonly pdf: Uint8Array; readonly residentBytes: number }
  | { readonly failure: PdfFailure; readonly message: string; readonly residentBytes: number }
