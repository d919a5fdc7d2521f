import type { JsonObject } from '../certificate/read-certificate.ts'
import { textAt } from '../certificate/shown.ts'
import type { OfferedFiles } from './offer/collector.ts'
import { FileUnusable } from './file-unusable.ts'
import { readPackJson } from './read-pack-json.ts'

/** The JSON documents of an import, so that a schema finds the definitions that it refers to. */
export type OfferedDocuments = {
  /** Throws `FileUnusable` if the file is not usable. Undefined if it does not exist. */
  at(path: string): JsonObject | undefined
  /**
   * The document that has this address: by its `$id`, by the end of its path, or by its place beside the document that
   * refers to it.
   */
  find(url: string, from: Located): Located | undefined
}

export type Located = { readonly path: string; readonly url: string; readonly json: JsonObject }

export const openDocuments = ({ files, unusable }: OfferedFiles): OfferedDocuments => {
  const parsed = new Map<string, JsonObject>()
  const at = (path: string): JsonObject | undefined => {
    const reason = unusable.get(path)
    if (reason !== undefined) throw new FileUnusable(reason)
    const bytes = files.get(path)
    if (bytes === undefined) return undefined
    const known = parsed.get(path) ?? readPackJson(bytes)
    parsed.set(path, known)
    return known
  }
  let addresses: ReadonlyMap<string, string> | undefined
  return {
    at,
    find: (url, from) => {
      addresses ??= addressesOf([...files.keys()], at)
      const path =
        addresses.get(url) ?? addresses.get(pathOf(url)) ?? beside(url, from, files) ?? byPath(url, files)
      const json = path === undefined ? undefined : readable(at, path)
      if (path === undefined || json === undefined) return undefined
      const id = textAt(json, '$id') ?? ''
      return { path, url: URL.canParse(id) ? id : url, json }
    },
  }
}

type At = OfferedDocuments['at']

const readable = (at: At, path: string): JsonObject | undefined => {
  try {
    return at(path)
  } catch {
    return undefined
  }
}

/** The paths of all documents by their `$id`, and by that without its host: hosts of published schemas have changed. */
const addressesOf = (paths: readonly string[], at: At): ReadonlyMap<string, string> => {
  const addresses = new Map<string, string>()
  for (const path of paths.filter((one) => one.endsWith('.json'))) {
    const id = textAt(readable(at, path) ?? {}, '$id')?.replace(/#$/, '')
    if (id === undefined || !URL.canParse(id)) continue
    for (const address of [id, pathOf(id)]) if (!addresses.has(address)) addresses.set(address, path)
  }
  return addresses
}

const pathOf = (url: string): string => new URL(url).pathname

const beside = (url: string, from: Located, files: OfferedFiles['files']): string | undefined => {
  const folder = new URL('.', from.url).href
  if (!url.startsWith(folder)) return undefined
  const path = `${from.path.replace(/[^/]*$/, '')}${url.slice(folder.length)}`
  return files.has(path) ? path : undefined
}

/** `/a-schemas/v1.0.0/b.json` is the end of the path, or that of the unpacked tag `a-schemas-1.0.0/b.json`. */
const byPath = (url: string, files: OfferedFiles['files']): string | undefined => {
  const wanted = pathOf(url).toLowerCase()
  const ofTag = wanted.replace(/^(.*\/[^/]+)\/v([^/]+)\//, '$1-$2/')
  return [...files.keys()].find((path) => {
    const end = `/${path.toLowerCase()}`
    return end.endsWith(wanted) || (ofTag !== wanted && end.endsWith(ofTag))
  })
}
