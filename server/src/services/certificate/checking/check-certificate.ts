import { type Certificate, type Finding, type SchemaEntry, type Registry, validate } from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'
import { readDocument } from './read-document.ts'

export type CheckedCertificate = { readonly certificate: Certificate; readonly schema: SchemaEntry }

/** A certificate of a known schema that conforms to it. */
export const checkCertificate = async (schemas: Registry, bytes: Uint8Array): Promise<CheckedCertificate> => {
  const certificate = readDocument(bytes)
  const schema = await findSchema(schemas, certificate)
  const findings = validate(certificate, schema)
  if (findings.length > 0) {
    throw new Problem('certificate_invalid', { details: findings.map(inWords) })
  }
  return { certificate, schema }
}

export const findSchema = async (
  schemas: Registry,
  { refSchemaUrl }: Pick<Certificate, 'refSchemaUrl'>,
): Promise<SchemaEntry> => {
  const schema = await schemas.find(refSchemaUrl)
  if (schema === undefined) {
    throw new Problem('schema_unknown', {
      details: ['/RefSchemaUrl names no schema of this service: GET /certificates/schemas lists them'],
    })
  }
  return schema
}

const inWords = ({ pointer, reason, label }: Finding): string =>
  `${pointer === '' ? '/' : pointer} ${reason}${label === undefined ? '' : ` (${label})`}`
