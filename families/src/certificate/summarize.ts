import { recogniseFamily } from '../families/index.ts'
import type { CertificateSummary } from '../family.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import type { JsonObject } from './read-certificate.ts'

export const summarize = ({ json }: { readonly json: JsonObject }): CertificateSummary =>
  withoutUndefined(recogniseFamily(json)?.summarize(json) ?? {})
