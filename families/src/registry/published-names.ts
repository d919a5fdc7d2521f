import { compareVersions } from './compare-versions.ts'

/**
 * Facts about the names in published certificates. A name is `<scheme>://<host>/<path>`; nothing here is ever requested.
 * The scheme may be http or https, and the host may begin with `www.`.
 */
export const publishedHosts = [
  'schemas.materialidentity.org',
  'materialidentity.org',
  'schemas.s1seven.com',
  'schemas.s1seven.dev',
  'schemas.en10204.io',
  'en10204.io',
] as const

/** The published versions by type. A version such as `0.0.2-2` is a draft of `0.0.2`, listed only if it has a schema of its own. */
export const publishedVersions: Readonly<Record<string, readonly string[]>> = {
  'en10168-schemas': [
    '0.0.2-1',
    '0.0.2',
    '0.0.3',
    '0.1.0',
    '0.2.0',
    '0.2.1',
    '0.3.0',
    '0.4.0',
    '0.4.1',
    '0.5.0',
  ],
  'coa-schemas': ['0.0.1', '0.0.2', '0.0.3', '0.0.4', '0.1.0', '0.1.1', '0.2.0', '1.0.0', '1.0.1', '1.1.0'],
  'e-coc-schemas': ['0.0.2', '1.0.0'],
  'metals-schemas': ['0.0.1', '0.1.0', '0.1.1'],
  'forestry-schemas': ['0.0.1'],
  'forestry-source-schemas': ['0.0.1', '1.0.0', '1.1.0'],
  'forestry-output-schemas': ['0.0.1', '1.0.0'],
  // Announced, and listed by clients; no version was ever published.
  'cdn-schemas': [],
}

/**
 * The folders of a type, in lower case without separators and without `schemas`. Besides `/<type>/v<version>/schema.json`,
 * names follow the folders of the repositories: `/EN10168/v0.5.0/schema.json`, `/schemas/E-CoC/v1.0.0/schema.json`,
 * `/CoA-schemas/v1.1.0/schema.json`, `/Forestry/Source/v0.0.1/schema.json`.
 */
const folders: ReadonlyMap<string, string> = new Map([
  ...Object.keys(publishedVersions).map((type) => [folderKey(type), type] as const),
  ['forrestry', 'forestry-schemas'],
  // The first name of the certificate of analysis, until its draft 0.0.2-3.
  ['plastic', 'coa-schemas'],
])

export type PublishedName = { readonly type: string; readonly version: string }

const namePattern =
  /^https?:\/\/(?:www\.)?([a-z0-9.-]+)(?::\d{1,5})?\/(?:schemas\/){0,2}([a-z0-9/_-]+)\/v?(\d{1,4}\.\d{1,4}\.\d{1,4})(-\d{1,4})?(?:\/(?:(?:[a-z0-9-]+\.)?schema(?:\.json)?)?)?#?$/i

/** Type and version of a published name in any of its forms; undefined for any other name. */
export const parsePublishedName = (url: string): PublishedName | undefined => {
  const [, host = '', folder = '', version = '', number = ''] = namePattern.exec(url) ?? []
  const type = folders.get(folderKey(folder))
  const isPublished = publishedHosts.some((known) => known === host.toLowerCase())
  if (!isPublished || type === undefined) return undefined
  const draft = `${version}${number}`
  return { type, version: publishedVersions[type]?.includes(draft) === true ? draft : version }
}

export const publishedName = ({ type, version }: PublishedName, host: string = publishedHosts[0]): string =>
  `https://${host}/${type}/v${version}/schema.json`

/** The accepted name that resembles an unknown one most: of the same type if it can be told, with the nearest version. */
export const nearestName = (url: string): string => {
  const [, host = '', folder = '', version = newest] = namePattern.exec(url.slice(0, maxCompared)) ?? []
  const wanted = folderKey(folder === '' ? (url.slice(0, maxCompared).split('/').at(-2) ?? '') : folder)
  const types = [...folders].filter(([, type]) => (publishedVersions[type]?.length ?? 0) > 0)
  const [, type = ''] = closest(types, ([key]) => distance(key, wanted)) ?? []
  const versions = publishedVersions[type] ?? []
  const older = versions.filter((known) => compareVersions(known, version) <= 0)
  const known = publishedHosts.find((candidate) => candidate === host.toLowerCase())
  return publishedName({ type, version: older.at(-1) ?? versions[0] ?? '' }, known)
}

const maxCompared = 300
/** Later than any version: a name without a version is nearest to the newest one. */
const newest = '9999.0.0'

function folderKey(folder: string): string {
  return folder
    .toLowerCase()
    .replace(/-?schemas$/, '')
    .replaceAll(/[/_-]/g, '')
}

const closest = <T>(list: readonly T[], score: (item: T) => number): T | undefined =>
  list.map((item) => ({ item, score: score(item) })).toSorted((a, b) => a.score - b.score)[0]?.item

/** Levenshtein: insertions, deletions and replacements. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let line = 1; line <= a.length; line += 1) {
    const next = [line]
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
