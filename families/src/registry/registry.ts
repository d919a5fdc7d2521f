import { join } from 'node:path'
import { families } from '../families/index.ts'
import { listPacks, packNames } from '../packs/list-packs.ts'
import { loadPack } from '../packs/load-pack.ts'
import { ownEntries } from './own-schemas.ts'
import type { SchemaEntry } from './schema-entry.ts'
import { compareVersions } from './schema-url.ts'

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
  find(refSchemaUrl: string): Promise<SchemaEntry | undefined>
  /** The answer of GET /certificates/schemas: `{"en10168-schemas": ["0.5.0", …]}`, newest version last. */
  list(): Promise<Readonly<Record<string, readonly string[]>>>
}

type ByUrl = ReadonlyMap<string, SchemaEntry>

/** Types that the list always contains, imported or not: clients expect them. */
const alwaysListed = [...families.map(({ name }) => `${name}-schemas`), 'cdn-schemas']

export const createRegistry = (options: RegistryOptions): Registry => {
  const own = ownEntries(options.ownBases ?? [])
  const current = createCurrent(options, own)
  return {
    find: async (refSchemaUrl) => (await current()).get(refSchemaUrl),
    list: async () => {
      const entries = [...new Set((await current()).values())]
      const types = new Set([...alwaysListed, ...entries.map(({ type }) => type).toSorted()])
      const versionsOf = (type: string) =>
        entries.filter((entry) => entry.type === type).map(({ version }) => version)
      return Object.fromEntries(
        [...types].map((type) => [type, [...new Set(versionsOf(type))].toSorted(compareVersions)]),
      )
    },
  }
}

/** The imported packs. Compares the names in the folders at most every `recheckMs` and loads them if they changed. */
const createCurrent = (
  { packFolders, log, recheckMs = 1_000 }: RegistryOptions,
  own: readonly SchemaEntry[],
): (() => Promise<ByUrl>) => {
  let loaded: { names: string; content: ByUrl } | undefined
  let checkedMs = Number.NEGATIVE_INFINITY
  let loading: Promise<ByUrl> | undefined
  const refresh = async (): Promise<ByUrl> => {
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
): Promise<ByUrl> => {
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
  for (const entry of own) for (const url of entry.urls) byUrl.set(url, entry)
  return byUrl
}
