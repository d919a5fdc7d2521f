import { useCallback } from 'react'
import { useKindNames } from '../../../api/families.ts'

/** `https://…/coa-schemas/v1.0.0/schema.json`, and the older `https://…/CoA/v1.1.0/…`. */
const schemaName = /\/([a-z0-9-]+?)(?:-schemas)?\/v?(\d[\d.-]*)(?:\/|$)/i

export type Kind = { readonly family: string; readonly version: string }

export const kindOf = (refSchemaUrl: string): Kind | undefined => {
  const [, family, version] = schemaName.exec(refSchemaUrl) ?? []
  return family === undefined || version === undefined ? undefined : { family: family.toLowerCase(), version }
}

/** Returns the function that names the schema of a certificate. */
export const useKindName = (): ((refSchemaUrl: string) => string) => {
  const nameOf = useKindNames()
  return useCallback(
    (refSchemaUrl) => {
      const kind = kindOf(refSchemaUrl)
      return kind === undefined ? refSchemaUrl : nameOf(kind.family).title
    },
    [nameOf],
  )
}
