import type { CertificateFamily } from '@millseal/contract'
import { families, movableSections } from '@millseal/families'

const listed: readonly CertificateFamily[] = families.map((family) => ({
  name: family.name,
  title: family.types[0].title,
  types: [...family.types],
  sections: [...movableSections(family)],
}))

export const listFamilies = async (): Promise<CertificateFamily[]> => [...listed]
