import type { Sentences } from '../in-words.ts'
import { actions } from './sentences/actions.ts'
import { certificates } from './sentences/certificates.ts'
import { deliveries } from './sentences/deliveries.ts'
import { entries } from './sentences/entries.ts'

/** The only table of the server's sentences in German. The first pattern that matches counts. */
export const texts: Sentences = [...deliveries, ...certificates, ...entries, ...actions]
