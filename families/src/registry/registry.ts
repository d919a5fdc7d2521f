import { setTimeout as delay } from 'node:timers/promises'
import { families } from '../families/index.ts'
import { listPacks, packNames } from '../packs/list-packs.ts'
import { loadPack } from '../packs/load-pack.ts'
import type { PackFiles } from '../packs/pack-files.ts'
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
  /** The files of imported packs. Without them, only the built-in schemas are known. */
  readonly packs?: PackFiles
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
const alwaysListed = [
  ...new Set([
    ...families.flatMap(({ types }) => types.map(({ type }) => type)),
    ...Object.keys(publishedVersions),
  ]),
]

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

/** How long a request waits for a list of packs if it can be answered with what is loaded. */
const patienceMs = 500

type Packs = ReadonlyMap<string, readonly SchemaEntry[]>

/** The imported packs. Compares their names at most every `recheckMs` and loads new ones. */
const createCurrent = (
  { packs, log, recheckMs = 1_000 }: RegistryOptions,
  own: readonly SchemaEntry[],
): (() => Promise<Content>) => {
  let loaded: { names: string; packs: Packs; content: Content } | undefined
  let checkedMs = Number.NEGATIVE_INFINITY
  let loading: Promise<Content> | undefined
  const refresh = async (): Promise<Content> => {
    const names = packs === undefined ? '' : (await packNames(packs)).join(',')
    if (loaded?.names !== names) {
      const found = packs === undefined ? new Map() : await load(packs, { known: loaded?.packs, log })
      loaded = { names, packs: found, content: contentOf(found, own) }
    }
    return loaded.content
  }
  const refreshOrKeep = async (): Promise<Content> => {
    try {
      return await refresh()
    } catch (error) {
      if (loaded === undefined) throw error
      log.warn({ err: error }, 'Could not look for new packs of schemas; using the known ones')
      return loaded.content
    } finally {
      checkedMs = performance.now()
      loading = undefined
    }
  }
  return async () => {
    if (loaded === undefined) return await (loading ??= refreshOrKeep())
    if (loading !== undefined || performance.now() - checkedMs < recheckMs) return loaded.content
    const { content } = loaded
    loading = refreshOrKeep()
    using waiting = new DisposableStack()
    const ended = waiting.adopt(new AbortController(), (one) => one.abort())
    const patience = delay(patienceMs, content, { signal: ended.signal }).catch(() => content)
    return await Promise.race([loading, patience])
  }
}

/** By name, in the order of import. A damaged pack is logged and ignored, so that the others still work. */
const load = async (
  packs: PackFiles,
  { known, log }: { readonly known: Packs | undefined; readonly log: RegistryLog },
): Promise<Packs> => {
  const all = new Map<string, readonly SchemaEntry[]>()
  for (const manifest of await listPacks(packs)) {
    const { name } = manifest
    const entries = known?.get(name) ?? (await loadPack(packs, manifest))
    if (entries instanceof Error)
      log.warn({ err: entries, pack: name }, 'Could not read a pack of schemas; it is ignored')
    else all.set(name, entries)
  }
  return all
}

const contentOf = (packs: Packs, own: readonly SchemaEntry[]): Content => {
  const byUrl = new Map<string, SchemaEntry>()
  for (const entry of [...packs.values()].flat()) for (const url of entry.urls) byUrl.set(url, entry)
  const imported = [...byUrl.values()].filter(({ id }) => parsePublishedName(id) !== undefined)
  const byPublishedName = new Map(
    [...own.filter(isPublished), ...imported].map((entry) => [`${entry.type} ${entry.version}`, entry]),
  )
  for (const entry of own) for (const url of entry.urls) byUrl.set(url, entry)
  return { byUrl, byPublishedName }
}

const isPublished = ({ type, version }: SchemaEntry): boolean =>
  publishedVersions[type]?.includes(version) === true
