import { join } from 'node:path'
import { families, typesOf } from '../families/index.ts'
import { listPacks, packNames } from '../packs/list-packs.ts'
import { loadPack } from '../packs/load-pack.ts'
import { compareVersions } from './compare-versions.ts'
import { ownEntries } from './own-schemas.ts'
import {
  nearestName,
  type PublishedName,
  parsePublishedName,
  publishedHosts,
  publishedName,
  publishedVersions,
} from './published-names.ts'
import type { SchemaEntry } from './schema-entry.ts'

export type RegistryLog = { warn(facts: object, message: string): void }

export type RegistryOptions = {
  /** The folders that `importPack` writes to. */
  readonly packFolders: readonly string[]
  /** Further base addresses of the built-in schemas: `https://<this server>/schemas`. */
  readonly ownBases?: readonly string[]
  readonly log: RegistryLog
  /** How long a new pack may remain unknown. */
  readonly recheckMs?: number
}

/** The schemas that certificates may name. An unknown name is never fetched. */
export type Registry = {
  /** For a published name an imported schema, which is exact, else our schema of that family and version. */
  find(refSchemaUrl: string): Promise<SchemaEntry | undefined>
  /** The schema that certificates of this type and version are checked with: an imported one before ours. */
  findVersion(name: PublishedName): Promise<SchemaEntry | undefined>
  /** The answer of GET /certificates/schemas: `{"en10168-schemas": ["0.5.0", …]}`, newest version last. */
  list(): Promise<Readonly<Record<string, readonly string[]>>>
  /** All accepted names in their usual form. */
  names(): Promise<readonly string[]>
  /** The accepted name that resembles an unknown one most. */
  nearest(refSchemaUrl: string): string
}

type Content = {
  readonly byUrl: ReadonlyMap<string, SchemaEntry>
  /** Answers for the published names of a type and version: `en10168-schemas 0.5.0`. */
  readonly byPublishedName: ReadonlyMap<string, SchemaEntry>
}

/** Types that the list always contains, imported or not: clients expect them. */
const alwaysListed = [...new Set([...families.flatMap(typesOf), ...Object.keys(publishedVersions)])]

export const createRegistry = (options: RegistryOptions): Registry => {
  const own = ownEntries(options.ownBases ?? [])
  const current = createCurrent(options, own)
  return {
    find: async (refSchemaUrl) => {
      const { byUrl, byPublishedName } = await current()
      return byUrl.get(refSchemaUrl) ?? findPublished(byPublishedName, refSchemaUrl)
    },
    findVersion: async ({ type, version }) => {
      const { byUrl, byPublishedName } = await current()
      const isWanted = (entry: SchemaEntry) => entry.type === type && entry.version === version
      return byPublishedName.get(`${type} ${version}`) ?? [...byUrl.values()].find(isWanted)
    },
    names: async () => {
      const { byUrl, byPublishedName } = await current()
      const published = [...byPublishedName.keys()].flatMap((key) => {
        const [type = '', version = ''] = key.split(' ')
        return publishedHosts.map((host) => publishedName({ type, version }, host))
      })
      return [...new Set([...published, ...byUrl.keys()])]
    },
    nearest: nearestName,
    list: async () => {
      const entries = [...new Set((await current()).byUrl.values())]
      const types = new Set([...alwaysListed, ...entries.map(({ type }) => type).toSorted()])
      const versionsOf = (type: string) =>
        entries.filter((entry) => entry.type === type).map(({ version }) => version)
      return Object.fromEntries(
        [...types].map((type) => [type, [...new Set(versionsOf(type))].toSorted(compareVersions)]),
      )
    },
  }
}

/** A draft such as 0.0.2-2 has the schema of its version. */
const findPublished = (
  entries: ReadonlyMap<string, SchemaEntry>,
  refSchemaUrl: string,
): SchemaEntry | undefined => {
  const name = parsePublishedName(refSchemaUrl)
  return name === undefined ? undefined : entries.get(`${name.type} ${name.version}`)
}

/** The imported packs. Compares the names in the folders at most every `recheckMs` and loads them if they changed. */
const createCurrent = (
  { packFolders, log, recheckMs = 1_000 }: RegistryOptions,
  own: readonly SchemaEntry[],
): (() => Promise<Content>) => {
  let loaded: { names: string; content: Content } | undefined
  let checkedMs = Number.NEGATIVE_INFINITY
  let loading: Promise<Content> | undefined
  const refresh = async (): Promise<Content> => {
    const names = (await Promise.all(packFolders.map(packNames))).map((list) => list.join(',')).join(';')
    if (loaded?.names !== names) loaded = { names, content: await load(packFolders, { own, log }) }
    checkedMs = performance.now()
    return loaded.content
  }
  return () => {
    if (loaded !== undefined && performance.now() - checkedMs < recheckMs)
      return Promise.resolve(loaded.content)
    loading ??= refresh().finally(() => {
      loading = undefined
    })
    return loading
  }
}

/** A pack that cannot be read is logged and ignored, so that the others still work. */
const load = async (
  packFolders: readonly string[],
  { own, log }: { own: readonly SchemaEntry[]; log: RegistryLog },
): Promise<Content> => {
  const byUrl = new Map<string, SchemaEntry>()
  for (const folder of packFolders) {
    for (const manifest of await listPacks(folder)) {
      try {
        for (const entry of await loadPack(folder, manifest))
          for (const url of entry.urls) byUrl.set(url, entry)
      } catch (error) {
        log.warn(
          { err: error, pack: join(folder, manifest.name) },
          'Could not read a pack of schemas; it is ignored',
        )
      }
    }
  }
  const imported = [...byUrl.values()].filter(({ id }) => parsePublishedName(id) !== undefined)
  const byPublishedName = new Map(
    [...own.filter(isPublished), ...imported].map((entry) => [`${entry.type} ${entry.version}`, entry]),
  )
  for (const entry of own) for (const url of entry.urls) byUrl.set(url, entry)
  return { byUrl, byPublishedName }
}

const isPublished = ({ type, version }: SchemaEntry): boolean =>
  publishedVersions[type]?.includes(version) === true
