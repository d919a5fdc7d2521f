import type { Certificate } from '../certificate/read-certificate.ts'
import { shown } from '../certificate/shown.ts'
import { recogniseFamily } from '../families/index.ts'
import type { Fact } from './fact.ts'

/** All that a certificate states, whatever its family; none if it belongs to no family. */
export const factsOf = (certificate: Certificate): readonly Fact[] =>
  recogniseFamily(certificate.json)?.facts(shown(certificate)) ?? []
