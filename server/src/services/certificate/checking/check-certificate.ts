import type { CheckedBy } from '@millseal/contract'
import { because, type Reason } from '@millseal/contract/reasons'
import {
  type Certificate,
  type Finding,
  readDraft,
  type SchemaEntry,
  tooLongForPaper,
  validate,
} from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { readDocument } from './read-document.ts'

export type CheckedCertificate = { readonly certificate: Certificate; readonly schema: SchemaEntry }

/** Throws unless the bytes are a certificate of a known schema and conform to it. */
export const checkCertificate = async (
  deps: CertificateDependencies,
  bytes: Uint8Array,
): Promise<CheckedCertificate> => {
  const certificate = await readDocument(deps, bytes)
  const schema = await findSchema(deps, certificate)
  const findings = validate(certificate, schema)
  if (findings.length > 0) {
    throw new Problem('certificate_invalid', { reasons: findings.map(reasonOf) })
  }
  return { certificate, schema }
}

/** Accepts what does not conform yet. Throws unless the bytes name a known schema and fit on paper. */
export const completeDraft = async (
  deps: CertificateDependencies,
  bytes: Uint8Array,
): Promise<CheckedCertificate> => {
  const certificate = await readDocument(deps, bytes)
  const schema = await findSchema(deps, certificate)
  const excess = tooLongForPaper(certificate.json, 'certificate')
  if (excess !== undefined) throw new Problem('certificate_invalid', { reasons: [reasonOf(excess)] })
  return { certificate: readDraft(certificate, schema), schema }
}

/** The schema that a certificate was checked with, as answers tell it. */
export const checkedBy = ({ id, origin, revision }: SchemaEntry): CheckedBy => ({
  schema: id,
  origin,
  revision,
})

export const findSchema = async (
  { schemas }: CertificateDependencies,
  { refSchemaUrl }: Certificate,
): Promise<SchemaEntry> => {
  const schema = await schemas.find(refSchemaUrl)
  if (schema === undefined) {
    const place = '/RefSchemaUrl'
    throw new Problem('schema_unknown', {
      reasons: [
        because('schema_unknown_here', { place }),
        because('schema_nearest', { url: schemas.nearest(refSchemaUrl), place }),
        because('schema_can_be_added', { place }),
      ],
    })
  }
  return schema
}

const reasonOf = ({ pointer, reason: { code, values }, label }: Finding): Reason => ({
  code,
  values: { ...values, place: pointer === '' ? '/' : pointer, ...(label !== undefined && { label }) },
})
