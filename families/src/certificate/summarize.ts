import { recogniseFamily } from '../families/index.ts'
import type { CertificateSummary } from '../family.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import { heatsOf } from './heats.ts'
import type { JsonObject } from './read-certificate.ts'

/** A summary stays short. */
const mostHeats = 20

export const summarize = ({ json }: { readonly json: JsonObject }): CertificateSummary => {
  const heats = heatsOf({ json }).slice(0, mostHeats)
  return withoutUndefined({
    ...recogniseFamily(json)?.summarize(json),
    heats: heats.length > 0 ? heats : undefined,
  })
}
