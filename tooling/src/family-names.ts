import { parseSync, Visitor } from 'oxc-parser'

/** The files that may name a family outside its folder, and why. */
export const namingFiles: Readonly<Record<string, string>> = {
  'families/src/families/index.ts': 'registers it',
  'families/src/registry/published-names.ts': 'says which versions were published',
  'contract/src/shapes/certificate-checks.ts': 'describes an answer that clients of the original API read',
  'contract/src/shapes/certificate-families.ts': 'has an example',
  'contract/src/operations/certificates.ts': 'has an example',
  'contract/src/operations/notarizations.ts': 'has an example',
  'cli/src/commands/schemas-add.ts': 'has an example',
  'cli/src/demo/certificate.ts': 'is an example',
}

/** Each folder of a family has one. */
export const familySchemas = 'families/src/families/*/schema.json'

const folderOf = (schema: string): string => schema.replace(/schema\.json$/, '')

const isProduct = (path: string): boolean =>
  /^(?:cli|console|contract|families|sdk|server)\/src\//.test(path) &&
  !/\.(?:test|suite|fixture)\.tsx?$|\/testing\/|^server\/src\/journeys\//.test(path)

/** The families that a source of the product names outside their folders: in texts and keys, not in comments. */
export const findFamilyNames = (
  path: string,
  text: string,
  schemas: readonly string[],
): readonly string[] => {
  const others = schemas.map(folderOf).filter((folder) => !path.startsWith(folder))
  if (!isProduct(path) || others.length === 0) return []
  const names = others.map((folder) => folder.split('/').at(-2) ?? '')
  const pattern = new RegExp(String.raw`(?<![\w-])(?:${names.join('|')})(?![a-z0-9])`, 'gi')
  if (text.search(pattern) === -1) return []
  const found = new Set<string>()
  const look = (said: string): void => {
    for (const [name] of said.matchAll(pattern)) found.add(name)
  }
  new Visitor({
    Literal: ({ value }) => look(typeof value === 'string' ? value : ''),
    TemplateElement: ({ value }) => look(value.raw),
    JSXText: ({ value }) => look(value),
    Property: ({ key, shorthand }) => {
      if (key.type === 'Identifier' && !shorthand) look(key.name)
    },
  }).visit(parseSync(path, text).program)
  return [...found]
}
