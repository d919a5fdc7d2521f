import { at, textsAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'
import { readLabels } from '../../labels/labels.ts'
import { facts } from './facts.ts'
import labels from './labels.json' with { type: 'json' }
import { mapForestry } from './mapper.ts'
import { parties } from './parties.ts'
import { questions } from './questions.ts'
import sample from './sample.json' with { type: 'json' }
import schema from './schema.json' with { type: 'json' }
import { quantity, summarize } from './summary.ts'
import { schemas } from './versions.ts'

const own = ['Products', 'HarvestUnits', 'ForestPlots', 'DueDiligenceStatement']

/** Timber: sources and products with the due diligence statement of the EU regulation on deforestation. */
export const forestry: Family = {
  name: 'forestry',
  types: [
    {
      type: 'forestry-schemas',
      title: { en: 'Timber', de: 'Holz' },
      description: { en: 'Origin and legality of timber', de: 'Herkunft und Legalität von Holz' },
    },
    {
      type: 'forestry-source-schemas',
      title: { en: 'Timber, source', de: 'Holz, Ursprung' },
      description: { en: 'Material passport of the source', de: 'Materialpass des Ursprungs' },
    },
    {
      type: 'forestry-output-schemas',
      title: { en: 'Timber, product', de: 'Holz, Erzeugnis' },
      description: { en: 'Material passport of the product', de: 'Materialpass des Erzeugnisses' },
    },
  ],
  schemas: [schema, ...schemas],
  labels: readLabels(labels),
  recognise: (json) => own.some((name) => at(json, 'DigitalMaterialPassport', name) !== undefined),
  languages: (json) => textsAt(json, 'DigitalMaterialPassport', 'Languages'),
  summarize,
  quantity,
  parties,
  questions,
  facts,
  logo: () => undefined,
  map: mapForestry,
  forPrograms: ['Type', 'type'],
  layout: { accent: '#3f6b1f' },
  sections: ['GeneralInformation', 'Transaction', 'Products', 'HarvestUnits', 'Documents', 'References'],
  samples: [sample],
}
