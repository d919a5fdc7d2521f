import type { CertificateFamily } from '@millseal/contract'
import { families, movableSections } from '@millseal/families'

export const listFamilies = async (): Promise<CertificateFamily[]> =>
  families.map((family) => ({
    name: family.name,
    title: family.types[0].title,
    types: [...family.types],
    sections: [...movableSections(family)],
  }))
