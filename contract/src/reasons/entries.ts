import type { Template } from '../reason-words.ts'

/** The words of a reason. The English ones are in the details of an error, for which every client can rely on them. */
export type Entries = Readonly<Record<string, { readonly en: string; readonly de: Template }>>
