import { at, textsAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'
import { readLabels } from '../../labels/labels.ts'
import { facts } from './facts.ts'
import labels from './labels.json' with { type: 'json' }
import { logo, mapMetals } from './mapper.ts'
import { parties } from './parties.ts'
import { questions } from './questions.ts'
import sample from './sample.json' with { type: 'json' }
import schema from './schema.json' with { type: 'json' }
import { quantity, summarize } from './summary.ts'
import { schemas } from './versions.ts'

/** Digital material passports of metal products. */
export const metals: Family = {
  name: 'metals',
  types: [
    {
      type: 'metals-schemas',
      title: { en: 'Metals', de: 'Metalle' },
      description: { en: 'Digital material passport for metals', de: 'Digitaler Materialpass für Metalle' },
    },
  ],
  schemas: [schema, ...schemas],
  labels: readLabels(labels),
  recognise: (json) => at(json, 'DigitalMaterialPassport') !== undefined,
  languages: (json) => textsAt(json, 'DigitalMaterialPassport', 'Languages'),
  summarize,
  quantity,
  parties,
  questions,
  facts,
  logo,
  map: mapMetals,
  forPrograms: ['ResultType', 'Form', 'PropertyName', 'Inclusive'],
  layout: { accent: '#8a4b08' },
  sections: [
    'TransactionData',
    'Product',
    'ChemicalAnalysis',
    'HeatTreatment',
    'MechanicalProperties',
    'PhysicalProperties',
    'SupplementaryTests',
  ],
  samples: [sample],
}
