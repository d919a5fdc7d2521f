import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { because, type Reason } from '@millseal/contract/reasons'
import { PackRejected, type PackSchema, type Refusal, schemaPath, translationsPath } from './manifest.ts'
import type { OfferedFiles } from './offer/collector.ts'
import { type PackOffer, readOffer } from './offer/read-offer.ts'
import { openDocuments } from './offered-documents.ts'
import { type CheckedSchema, readPackSchema } from './read-pack-schema.ts'

const maxSchemas = 200

/** What passed all checks, and what did not. */
export type CheckedPack = {
  readonly name: string
  /** The files to store, by their path in the pack. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly schemas: readonly PackSchema[]
  readonly refused: readonly Refusal[]
}

export type Progress = { readonly done: number; readonly total: number; readonly file: string }

export type PackCheck = {
  readonly offer: PackOffer
  /** Called before each schema is checked. */
  readonly onProgress?: (progress: Progress) => void
}

/** Checks every `schema.json`, the least deeply nested first. Throws `PackRejected` if none can be imported. */
export const checkPack = async ({ offer, onProgress }: PackCheck): Promise<CheckedPack> => {
  const offered = await readOffer(offer)
  const paths = schemaPaths(offered)
  if (paths.length === 0) {
    throw new PackRejected([...offered.refused.flatMap(reasonsOf), because('pack_without_schema')])
  }
  if (paths.length > maxSchemas)
    throw new PackRejected([because('pack_has_too_many_schemas', { most: maxSchemas })])
  const documents = openDocuments(offered)
  const taken = new Map<string, { path: string; checked: CheckedSchema }>()
  const refused: Refusal[] = [...offered.refused]
  for (const [index, file] of paths.entries()) {
    onProgress?.({ done: index, total: paths.length, file })
    // Compiling one schema can last a quarter of a second; between two, the server answers requests.
    await setImmediate()
    const checked = readPackSchema(file, offered, documents)
    if (!('facts' in checked)) {
      refused.push({ file, reasons: checked })
      continue
    }
    const place = schemaPath(checked.facts)
    const earlier = taken.get(place)
    if (earlier === undefined) taken.set(place, { path: file, checked })
    else if (!earlier.checked.schema.equals(checked.schema)) {
      refused.push({ file, reasons: [because('is_other_schema', { path: earlier.path })] })
    }
  }
  const all = [...taken.values()].map(({ checked }) => checked)
  if (all.length === 0) throw new PackRejected(refused.slice(0, 20).flatMap(reasonsOf))
  const files = new Map([...all.flatMap(storedFiles), ...licencesOf(offered)])
  return {
    name: `pack-${digestOf(files)}`,
    files,
    schemas: all.map(({ facts }) => facts),
    refused,
  }
}

const schemaPaths = ({ files, unusable }: OfferedFiles): readonly string[] =>
  [...files.keys(), ...unusable.keys()]
    .filter((path) => /(?:^|\/)schema\.json$/.test(path))
    .toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))

const depthOf = (path: string): number => path.split('/').length

const reasonsOf = ({ file, reasons }: Refusal): readonly Reason[] =>
  reasons.map((flaw) => because('file_refused', { file, flaw }))

const storedFiles = ({ facts, schema, labels }: CheckedSchema): readonly (readonly [string, Buffer])[] => [
  [schemaPath(facts), schema],
  ...(labels === undefined ? [] : [[translationsPath(facts), labels] as const]),
]

/** Of each licence or notice the least deeply nested, which is that of the repository. */
const licencesOf = ({ files }: OfferedFiles): readonly (readonly [string, Buffer])[] =>
  [...files]
    .map(([path, bytes]) => [path.replace(/^.*\//, ''), bytes, depthOf(path)] as const)
    .filter(([name]) => !name.endsWith('.json'))
    .toSorted(([, , a], [, , b]) => b - a)
    .map(([name, bytes]) => [name, bytes])

const digestOf = (files: ReadonlyMap<string, Buffer>): string => {
  const hash = createHash('sha256')
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${path}\u0000${bytes.length}\u0000`).update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}
