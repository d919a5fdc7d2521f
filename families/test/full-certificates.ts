import { markSchema } from '../src/form/mark-schema.ts'
import { ownEntries } from '../src/registry/own-schemas.ts'

/** A certificate with every field of the newest schema of each kind, as an unfinished form has them. */
export const fullCertificates = () => {
  const newest = new Map(
    ownEntries([])
      .toSorted((one, other) => one.version.localeCompare(other.version, 'en', { numeric: true }))
      .map((entry) => [entry.type, entry]),
  )
  return [...newest.values()].map(({ type, version, id, schema }) => ({
    family: type.replace(/-schemas$/, ''),
    version,
    json: { ...markSchema(schema).json, RefSchemaUrl: id },
  }))
}
