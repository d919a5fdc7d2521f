import type { Sentences } from './in-words.ts'
import { actions } from './sentences-de/actions.ts'
import { certificates } from './sentences-de/certificates.ts'
import { deliveries } from './sentences-de/deliveries.ts'
import { entries } from './sentences-de/entries.ts'
import { json } from './sentences-de/json.ts'

/** The only table of the server's sentences in German, for the console and mails. API answers stay English. */
export const germanSentences: Sentences = [...deliveries, ...certificates, ...entries, ...actions, ...json]
