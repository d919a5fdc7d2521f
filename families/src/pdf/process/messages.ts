import type { Layouts } from '../../family.ts'
import type { PdfFailure, PdfRequest } from '../request.ts'

/** The start argument of a rendering process. With the layouts in it, the process need not load the families. */
export type Start = { readonly maxResidentBytes: number; readonly layouts: Layouts }

export type Order = { readonly request: PdfRequest }

export type Reply =
  | { readonly ready: true }
  | { readonly pdf: Uint8Array; readonly residentBytes: number }
  | { readonly failure: PdfFailure; readonly message: string; readonly residentBytes: number }
