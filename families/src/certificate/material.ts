import { recogniseFamily } from '../families/index.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import { heatsOf } from './heats.ts'
import { type Certificate } from './read-certificate.ts'
import { shown } from './shown.ts'

/** What a receiver looks for first in the goods: which heats or batches, and how much. */
export type Material = { readonly heats: readonly string[]; readonly quantity?: string }

/** Numbers keep their digits as submitted. The quantity of an unknown family is not known. */
export const materialOf = (certificate: Certificate): Material => {
  const quantity = recogniseFamily(certificate.json)?.quantity(shown(certificate))
  return withoutUndefined({ heats: heatsOf(certificate), quantity })
}
