import type { Reason } from '@millseal/contract/reasons'
import type { ReadFile } from './read-file.ts'

export type Unreadable = { readonly reason: Reason; readonly pointer: string; readonly tooLarge: boolean }

/** From a thread. `processorMs`: what the file took. */
export type Reply = { readonly processorMs: number } & (
  | { readonly read: ReadFile }
  | { readonly unreadable: Unreadable }
  | { readonly failed: string }
)
