import type { Reason } from '@millseal/contract/reasons'
import type { PdfFailure, PdfRequest } from '../request.ts'

/** To a thread. `accent`: the colour of the family. */
export type Order = { readonly request: PdfRequest; readonly accent: string | undefined }

/** From a thread. */
export type Reply = { readonly pdf: Uint8Array } | { readonly failure: PdfFailure; readonly reason: Reason }
