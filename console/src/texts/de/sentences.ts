import type { Sentences } from '@millseal/contract/in-words'
import { germanSentences } from '@millseal/contract/sentences-de'

/** Shared with the mails of the server, so that both say the same. */
export const texts: Sentences = germanSentences
