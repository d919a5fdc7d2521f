import { at, textsAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'
import { readLabels } from '../../labels/labels.ts'
import { demo } from './demo.ts'
import { facts } from './facts.ts'
import labels from './labels.json' with { type: 'json' }
import { logo, mapEn10168 } from './mapper.ts'
import { parties } from './parties.ts'
import { questions } from './questions.ts'
import sample from './sample.json' with { type: 'json' }
import schema from './schema.json' with { type: 'json' }
import { quantity, summarize } from './summary.ts'
import { schemas } from './versions.ts'

/** Steel: inspection documents of EN 10204 with the fields of EN 10168. */
export const en10168: Family = {
  name: 'en10168',
  types: [
    {
      type: 'en10168-schemas',
      title: { en: 'EN 10168', de: 'EN 10168' },
      description: {
        en: 'Steel products, inspection documents after EN 10204',
        de: 'Stahlerzeugnisse, Prüfbescheinigungen nach EN 10204',
      },
    },
  ],
  schemas: [schema, ...schemas],
  labels: readLabels(labels),
  recognise: (json) => at(json, 'Certificate', 'CommercialTransaction') !== undefined,
  languages: (json) => textsAt(json, 'Certificate', 'CertificateLanguages'),
  summarize,
  quantity,
  parties,
  questions,
  facts,
  logo,
  map: mapEn10168,
  forPrograms: ['Type', 'Form', 'Operator'],
  layout: { accent: '#0f6e6a' },
  sections: ['CommercialTransaction', 'ProductDescription', 'Inspection', 'OtherTests'],
  samples: [sample],
  demo,
}
