import { because, type Reason } from '@millseal/contract/reasons'
import { PackRejected, type Refusal } from '../manifest.ts'

/** What an import may read of a folder or archive, in memory. Paths use `/` and have no `..`. */
export type OfferedFiles = {
  readonly files: ReadonlyMap<string, Buffer>
  /** JSON files that cannot be read, with the reason. */
  readonly unusable: ReadonlyMap<string, Reason>
  /** Archives in a folder that cannot be read. */
  readonly refused: readonly Refusal[]
}

export const offerLimits = {
  /** Of an archive. */
  archiveBytes: 32 * 1024 * 1024,
  /** Of an archive when it is unpacked, the files that are not read included. */
  unpackedBytes: 256 * 1024 * 1024,
  entries: 20_000,
  fileBytes: 1024 * 1024,
  readBytes: 64 * 1024 * 1024,
  pathLength: 512,
  depth: 16,
} as const

export type OfferedEntry = {
  readonly path: string
  readonly bytes: number
  /** False for links and devices, which are never read. */
  readonly isFile: boolean
}

export type Collector = {
  /** Whether to read the content. Throws `PackRejected` for an archive that nobody would make in good faith. */
  wants(entry: OfferedEntry): boolean
  add(path: string, content: Buffer): void
  reject(path: string, reason: Reason): void
  refuse(refusal: Refusal): void
  readonly offered: OfferedFiles
}

/** Folders of published repositories with certificates for tests and programs of others. */
const skippedFolder = /^(?:node_modules|__MACOSX|tests?|fixtures|\..*)$/
const licence = /^(?:LICENSE|NOTICE)(?:\.(?:md|txt))?$/

export const isSkippedFolder = (name: string): boolean => skippedFolder.test(name)

export const startCollecting = (): Collector => {
  const files = new Map<string, Buffer>()
  const unusable = new Map<string, Reason>()
  const refused: Refusal[] = []
  const seen = new Set<string>()
  let readBytes = 0
  return {
    offered: { files, unusable, refused },
    wants: ({ path, bytes, isFile }) => {
      assertSafe(path)
      if (seen.has(path)) throw new PackRejected([because('pack_has_file_twice', { path })])
      seen.add(path)
      if (seen.size > offerLimits.entries) {
        throw new PackRejected([because('pack_has_too_many_files', { most: offerLimits.entries })])
      }
      if (!isOfInterest(path)) return false
      if (!isFile || bytes > offerLimits.fileBytes) {
        unusable.set(path, because('file_not_regular', { most: offerLimits.fileBytes }))
        return false
      }
      readBytes += bytes
      if (readBytes > offerLimits.readBytes) {
        throw new PackRejected([because('pack_has_too_much_json', { most: offerLimits.readBytes })])
      }
      return true
    },
    add: (path, content) => files.set(path, content),
    reject: (path, reason) => unusable.set(path, reason),
    refuse: (refusal) => refused.push(refusal),
  }
}

const isOfInterest = (path: string): boolean => {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return (name.endsWith('.json') || licence.test(name)) && !folders.some(isSkippedFolder)
}

/** Nothing is written under these paths; a path that leaves the archive still shows what the archive is. */
const assertSafe = (path: string): void => {
  const parts = path.split('/')
  const isSafe =
    path.length <= offerLimits.pathLength &&
    parts.length <= offerLimits.depth &&
    !/[\p{Cc}\\]|^[A-Za-z]:/u.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isSafe)
    throw new PackRejected([because('pack_has_path_outside', { path: JSON.stringify(path.slice(0, 200)) })])
}
