import { at } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'
import { readLabels } from '../../labels/labels.ts'
import { facts } from './facts.ts'
import labels from './labels.json' with { type: 'json' }
import { mapECoc } from './mapper.ts'
import { parties } from './parties.ts'
import { questions } from './questions.ts'
import sample from './sample.json' with { type: 'json' }
import schema from './schema.json' with { type: 'json' }
import { quantity, summarize } from './summary.ts'
import { schemas } from './versions.ts'

/** Electronic certificates of conformity. */
export const eCoc: Family = {
  name: 'e-coc',
  types: [
    {
      type: 'e-coc-schemas',
      title: { en: 'E-CoC', de: 'E-CoC' },
      description: { en: 'Aviation, certificate of conformity', de: 'Luftfahrt, Konformitätsbescheinigung' },
    },
  ],
  schemas: [schema, ...schemas],
  labels: readLabels(labels),
  recognise: (json) => at(json, 'EcocData') !== undefined,
  languages: () => [],
  summarize,
  quantity,
  parties,
  questions,
  facts,
  logo: () => undefined,
  map: mapECoc,
  forPrograms: [
    'EcocType',
    'Name',
    'NameOfIdentifier',
    'NameOfTest',
    'ValueName',
    'Unit',
    'ConformityStatus',
  ],
  layout: { accent: '#5b3a8c' },
  sections: ['BusinessRef', 'ObjectOfDeclaration', 'Results'],
  samples: [sample],
}
