import { because } from '@millseal/contract/reasons'
import type { JsonValue } from '@millseal/proof'
import { hasText } from '../../certificate/en10204.ts'
import { at, listAt } from '../../certificate/shown.ts'
import type { Question } from '../../family.ts'

const passport = 'DigitalMaterialPassport'

/** What Regulation (EU) 2023/1115 expects of the information about timber. */
export const questions: readonly Question[] = [
  {
    pointer: `/${passport}/DueDiligenceStatement`,
    reason: because('no_due_diligence'),
    isAnswered: (json) => hasText(json, passport, 'DueDiligenceStatement'),
  },
  {
    pointer: `/${passport}/HarvestUnits`,
    reason: because('no_places_of_harvest'),
    isAnswered: (json) =>
      ['HarvestUnits', 'ForestPlots', 'HarvestUnitsDownloadURL', 'DMPReferences', 'EUDRReferences'].some(
        (name) => at(json, passport, name) !== undefined,
      ),
  },
  {
    pointer: `/${passport}/Products`,
    reason: because('no_species'),
    isAnswered: (json) =>
      listAt(json, passport, 'Products').every((product) => speciesOf(product).length > 0),
  },
]

/** The first drafts called the list SpeciesList and nested it. */
export const speciesOf = (product: JsonValue): readonly JsonValue[] =>
  [...listAt(product, 'ListOfSpecies'), ...listAt(product, 'SpeciesList')].flatMap((one) => listAt(one))
