import { randomUUID } from 'node:crypto'
import type { CertificateForm, operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { readForm } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { checkedBy } from './check-certificate.ts'

export const readCertificateForm = async (
  { schemas }: CertificateDependencies,
  { params, query: { languages = 'en' } }: Call<typeof operations.readCertificateForm>,
): Promise<CertificateForm> => {
  const entry = await schemas.findVersion(params)
  if (entry === undefined) {
    throw new Problem('schema_unknown', {
      reasons: [because('form_unknown', { place: 'params/type' })],
    })
  }
  const wanted = { languages: [...new Set(languages.split(','))], id: randomUUID() }
  const { labels, groups, parties, template } = readForm(entry, wanted)
  return {
    checkedBy: checkedBy(entry),
    schema: { ...entry.schema },
    labels: { ...labels },
    groups: groups.map((group) => ({ ...group, fields: [...group.fields] })),
    parties: [...parties],
    template: { ...template },
  }
}
