/** `…/en10168-schemas/v0.5.0/schema.json` → type and version; undefined for any other form. */
export const parseSchemaUrl = (url: string): { type: string; version: string } | undefined => {
  const [, type, version] =
    /^https?:\/\/[^\s?#]+\/([a-z0-9-]{1,60}-schemas)\/v(\d{1,4}\.\d{1,4}\.\d{1,4}(?:-\d{1,4})?)\/schema\.json$/.exec(
      url,
    ) ?? []
  return type === undefined || version === undefined ? undefined : { type, version }
}

export const familyOfType = (type: string): string => type.replace(/-schemas$/, '')

/** Sorts by number, newest last: 0.10.0 after 0.9.0. */
export const compareVersions = (a: string, b: string): number => {
  const numbers = (version: string) => version.split(/[.-]/).map(Number)
  const [left, right] = [numbers(a), numbers(b)]
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The addresses that the published schemas have had; certificates use any of them. */
export const publishedBases: readonly string[] = [
  'https://schemas.s1seven.com',
  'https://schemas.s1seven.dev',
  'https://schemas.materialidentity.org',
]

/** The base of the names of the built-in schemas. It is never requested. */
export const ownBase = 'https://schemas.millseal.org'
