import type { Reason } from '@millseal/contract/reasons'
import type { Certificate } from '../certificate/read-certificate.ts'
import type { ReadFile } from './read-file.ts'

/**
 * To a thread: a file of anybody, of which little comes back, a certificate, which comes back whole, or a PDF, of which the
 * certificate inside comes back.
 */
export type ReadTask = {
  readonly bytes: Uint8Array
  readonly wants: 'what it is' | 'certificate' | 'what is inside'
}

export type Unreadable = { readonly reason: Reason; readonly pointer: string; readonly tooLarge: boolean }

/** From a thread. `processorMs`: what the file took. */
export type Reply = { readonly processorMs: number } & (
  | { readonly read: ReadFile }
  | { readonly certificate: Omit<Certificate, 'bytes'> }
  | { readonly inside: Uint8Array | undefined }
  | { readonly unreadable: Unreadable }
  | { readonly failed: string }
)
