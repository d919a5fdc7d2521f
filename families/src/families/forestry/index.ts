import { at } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'
import { readLabels } from '../../labels/labels.ts'
import labels from './labels.json' with { type: 'json' }
import { mapForestry } from './mapper.ts'
import { parties } from './parties.ts'
import { questions } from './questions.ts'
import sample from './sample.json' with { type: 'json' }
import schema from './schema.json' with { type: 'json' }
import { summarize } from './summary.ts'
import { schemas } from './versions.ts'

const own = ['Products', 'HarvestUnits', 'ForestPlots', 'DueDiligenceStatement']

/** Timber: sources and products with the due diligence statement of the EU regulation on deforestation. */
export const forestry: Family = {
  name: 'forestry',
  schemas: [schema, ...schemas],
  labels: readLabels(labels),
  recognise: (json) => own.some((name) => at(json, 'DigitalMaterialPassport', name) !== undefined),
  summarize,
  parties,
  questions,
  logo: () => undefined,
  map: mapForestry,
  layout: { accent: '#3f6b1f' },
  samples: [sample],
}
