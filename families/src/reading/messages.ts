import type { Reason } from '@millseal/contract/reasons'
import type { Certificate } from '../certificate/read-certificate.ts'
import type { ReadFile } from './read-file.ts'

/** To a thread: a file of anybody, of which little comes back, or a certificate, which comes back whole. */
export type ReadTask = { readonly bytes: Uint8Array; readonly wants: 'what it is' | 'certificate' }

export type Unreadable = { readonly reason: Reason; readonly pointer: string; readonly tooLarge: boolean }

/** From a thread. `processorMs`: what the file took. */
export type Reply = { readonly processorMs: number } & (
  | { readonly read: ReadFile }
  | { readonly certificate: Omit<Certificate, 'bytes'> }
  | { readonly unreadable: Unreadable }
  | { readonly failed: string }
)
