import { at, textsAt } from '../../certificate/shown.ts'
import type { Family } from '../../family.ts'
import { readLabels } from '../../labels/labels.ts'
import { facts } from './facts.ts'
import labels from './labels.json' with { type: 'json' }
import { logo, mapCoa } from './mapper.ts'
import { parties } from './parties.ts'
import { questions } from './questions.ts'
import sample from './sample.json' with { type: 'json' }
import schema from './schema.json' with { type: 'json' }
import { quantity, summarize } from './summary.ts'
import { schemas } from './versions.ts'

/** Certificates of analysis: plastics and chemicals. */
export const coa: Family = {
  name: 'coa',
  types: [
    {
      type: 'coa-schemas',
      title: { en: 'Certificate of analysis', de: 'Analysenzertifikat' },
      description: {
        en: 'Plastics and other materials, by batch',
        de: 'Kunststoffe und andere Werkstoffe, je Charge',
      },
    },
  ],
  schemas: [schema, ...schemas],
  labels: readLabels(labels),
  recognise: (json) => at(json, 'Certificate', 'Parties') !== undefined,
  languages: (json) => textsAt(json, 'Certificate', 'CertificateLanguages'),
  summarize,
  quantity,
  parties,
  questions,
  facts,
  logo,
  map: mapCoa,
  forPrograms: ['ValueType'],
  layout: { accent: '#2f6b2f' },
  sections: ['BusinessTransaction', 'Product', 'Inspections'],
  samples: [sample],
}
