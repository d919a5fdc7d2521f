import type { JsonValue } from '@millseal/proof'
import { hasText } from '../../certificate/en10204.ts'
import { at, listAt } from '../../certificate/shown.ts'
import type { Question } from '../../family.ts'

const passport = 'DigitalMaterialPassport'

/** What Regulation (EU) 2023/1115 expects of the information about timber. */
export const questions: readonly Question[] = [
  {
    pointer: `/${passport}/DueDiligenceStatement`,
    reason: 'is missing: nobody declares that due diligence was exercised',
    isAnswered: (json) => hasText(json, passport, 'DueDiligenceStatement'),
  },
  {
    pointer: `/${passport}/HarvestUnits`,
    reason: 'is missing: neither places of harvest nor references to statements or passports that name them',
    isAnswered: (json) =>
      ['HarvestUnits', 'ForestPlots', 'HarvestUnitsDownloadURL', 'DMPReferences', 'EUDRReferences'].some(
        (name) => at(json, passport, name) !== undefined,
      ),
  },
  {
    pointer: `/${passport}/Products`,
    reason: 'contains a product without a species',
    isAnswered: (json) =>
      listAt(json, passport, 'Products').every((product) => speciesOf(product).length > 0),
  },
]

/** The first drafts called the list SpeciesList and nested it. */
export const speciesOf = (product: JsonValue): readonly JsonValue[] =>
  [...listAt(product, 'ListOfSpecies'), ...listAt(product, 'SpeciesList')].flatMap((one) => listAt(one))
