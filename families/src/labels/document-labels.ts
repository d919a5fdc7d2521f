import translations from './document-labels.json' with { type: 'json' }
import { type Labels, readLabels } from './labels.ts'

/** The texts of the page itself, for every family. */
export const documentLabels: Labels = readLabels(translations)
