import { recogniseFamily } from '../families/index.ts'
import type { CertificateSummary } from '../family.ts'
import { withoutUndefined } from '../model/without-undefined.ts'
import type { Certificate } from './read-certificate.ts'

export const summarize = ({ json }: Pick<Certificate, 'json'>): CertificateSummary =>
  withoutUndefined(recogniseFamily(json)?.summarize(json) ?? {})
