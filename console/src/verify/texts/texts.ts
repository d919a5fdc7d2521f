import type { en } from './en.ts'

/** Every text of the page. */
export type Texts = typeof en

/** Says something in the language of the reader. */
export type Say = (texts: Texts) => string
