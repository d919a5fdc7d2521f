import translations from './document-labels.json' with { type: 'json' }
import { type Labels, readLabels } from './labels.ts'

/** What the page itself says, whatever the family. */
export const documentLabels: Labels = readLabels(translations)
