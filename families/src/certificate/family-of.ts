import { at } from './shown.ts'
import type { Certificate } from './read-certificate.ts'

export type KnownFamily = 'en10168' | 'coa' | 'e-coc' | 'metals'

/** By what the certificate holds, so that imported versions are recognised like our own. */
export const familyOf = ({ json }: Pick<Certificate, 'json'>): KnownFamily | undefined => {
  if (at(json, 'Certificate', 'CommercialTransaction') !== undefined) return 'en10168'
  if (at(json, 'Certificate', 'Parties') !== undefined) return 'coa'
  if (at(json, 'EcocData') !== undefined) return 'e-coc'
  return at(json, 'DigitalMaterialPassport') === undefined ? undefined : 'metals'
}
