import { factsOf } from '../facts/facts-of.ts'
import type { Certificate } from '../certificate/read-certificate.ts'
import { sumsAbove100, wrongFormulas, wrongMeans } from './calculated.ts'
import {
  heatsThatDiffer,
  issuedTooEarly,
  massesThatDiffer,
  missingDeclaration,
  strengthBelowYield,
} from './consistency.ts'
import type { SelfCheckFinding } from './finding.ts'
import { outsideLimits } from './limits.ts'

const maxFindings = 50

const rules = [
  outsideLimits,
  wrongMeans,
  wrongFormulas,
  sumsAbove100,
  strengthBelowYield,
  heatsThatDiffer,
  issuedTooEarly,
  massesThatDiffer,
  missingDeclaration,
]

/** What a certificate says about itself that cannot be right, without any requirement; at most 50 findings. */
export const selfCheck = (certificate: Certificate): readonly SelfCheckFinding[] => {
  const facts = factsOf(certificate)
  return rules.flatMap((rule) => rule(facts)).slice(0, maxFindings)
}
