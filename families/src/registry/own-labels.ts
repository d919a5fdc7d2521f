import coa from '../schemas/coa-schemas/v1.0.0/translations.json' with { type: 'json' }
import eCoc from '../schemas/e-coc-schemas/v1.0.0/translations.json' with { type: 'json' }
import en10168 from '../schemas/en10168-schemas/v1.0.0/translations.json' with { type: 'json' }
import metals from '../schemas/metals-schemas/v1.0.0/translations.json' with { type: 'json' }
import { type Labels, noLabels, readLabels } from '../labels/labels.ts'

const own: ReadonlyMap<string, Labels> = new Map([
  ['en10168', readLabels(en10168)],
  ['coa', readLabels(coa)],
  ['e-coc', readLabels(eCoc)],
  ['metals', readLabels(metals)],
])

/** What we call the fields of a family: also used for imported schemas, where their own labels are silent. */
export const ownLabels = (family: string): Labels => own.get(family) ?? noLabels
