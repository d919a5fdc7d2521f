import { crc32, inflateRawSync } from 'node:zlib'
import { because, type Reason } from '@millseal/contract/reasons'
import { PackRejected } from '../manifest.ts'
import { type Collector, type OfferedEntry, offerLimits } from './collector.ts'

/** APPNOTE.TXT 6.3.10: the sizes of the fixed parts of its records. */
const endBytes = 22
const centralBytes = 46
const localBytes = 30
const maxComment = 0xffff
const signatures = { end: 0x06054b50, central: 0x02014b50, local: 0x04034b50 } as const
const flags = { encrypted: 1, utf8: 0x0800 } as const
const methods = { stored: 0, deflated: 8 } as const

type Entry = {
  readonly name: Buffer
  readonly path: string
  readonly isEncrypted: boolean
  readonly isFile: boolean
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  readonly offset: number
}

export type ZippedFile = OfferedEntry & {
  /** Unpacked. Undefined if it is damaged or encrypted. */
  content(): Buffer | undefined
}

/** The files of a zip archive. Throws for archives of several disks and those beyond 4 GiB (ZIP64). */
export const openZip = (zip: Buffer): readonly ZippedFile[] => {
  const directory = findDirectory(zip)
  const entries = readDirectory(zip, directory)
  assertNoOverlap(zip, entries, directory.offset)
  return entries
    .filter(({ path }) => !path.endsWith('/'))
    .map((entry) => ({
      path: entry.path,
      bytes: entry.bytes,
      isFile: entry.isFile,
      content: () => contentOf(zip, entry),
    }))
}

/** Reads the wanted files of a zip archive. */
export const readZip = (zip: Buffer, prefix: string, collector: Collector): void => {
  for (const file of openZip(zip)) {
    const path = `${prefix}${file.path}`
    if (!collector.wants({ path, bytes: file.bytes, isFile: file.isFile })) continue
    const content = file.content()
    if (content === undefined) collector.reject(path, because('file_damaged'))
    else collector.add(path, content)
  }
}

const damaged = (fault: Reason): PackRejected => new PackRejected([because('pack_not_zip', { fault })])

type Directory = { readonly offset: number; readonly count: number; readonly end: number }

const findDirectory = (zip: Buffer): Directory => {
  const first = Math.max(0, zip.length - endBytes - maxComment)
  for (let at = zip.length - endBytes; at >= first; at -= 1) {
    if (zip.readUInt32LE(at) !== signatures.end) continue
    if (at + endBytes + zip.readUInt16LE(at + 20) !== zip.length) continue
    const count = zip.readUInt16LE(at + 10)
    const bytes = zip.readUInt32LE(at + 12)
    const offset = zip.readUInt32LE(at + 16)
    const isOneDisk = zip.readUInt32LE(at + 4) === 0 && zip.readUInt16LE(at + 8) === count
    if (!isOneDisk || offset + bytes !== at) throw damaged(because('zip_directory_not_last'))
    if (count > offerLimits.entries) {
      throw new PackRejected([because('pack_has_too_many_files', { most: offerLimits.entries })])
    }
    return { offset, count, end: at }
  }
  throw damaged(because('zip_without_directory'))
}

const readDirectory = (zip: Buffer, { offset, count, end }: Directory): readonly Entry[] => {
  const entries: Entry[] = []
  let at = offset
  for (let index = 0; index < count; index += 1) {
    if (at + centralBytes > end || zip.readUInt32LE(at) !== signatures.central) {
      throw damaged(because('zip_directory_incomplete'))
    }
    const nameEnd = at + centralBytes + zip.readUInt16LE(at + 28)
    if (nameEnd > end) throw damaged(because('zip_directory_incomplete'))
    entries.push(entryAt(zip, at, zip.subarray(at + centralBytes, nameEnd)))
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  if (at !== end) throw damaged(because('zip_directory_incomplete'))
  return entries
}

const entryAt = (zip: Buffer, at: number, name: Buffer): Entry => {
  const bits = zip.readUInt16LE(at + 8)
  return {
    name,
    path: name.toString((bits & flags.utf8) === 0 ? 'latin1' : 'utf8'),
    isEncrypted: (bits & flags.encrypted) !== 0,
    isFile: isRegular(zip.readUInt8(at + 5), zip.readUInt32LE(at + 38) >>> 16),
    method: zip.readUInt16LE(at + 10),
    crc: zip.readUInt32LE(at + 16),
    packedBytes: zip.readUInt32LE(at + 20),
    bytes: zip.readUInt32LE(at + 24),
    offset: zip.readUInt32LE(at + 42),
  }
}

/** Archives made on Unix say the kind of a file; all others contain regular files only. */
const isRegular = (madeOn: number, mode: number): boolean => {
  const kind = mode & 0o170000
  return madeOn !== 3 || kind === 0 || kind === 0o100000
}

/** Entries that share their data are how a small archive becomes a large one. */
const assertNoOverlap = (zip: Buffer, entries: readonly Entry[], directory: number): void => {
  let free = 0
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    const end = dataStart(zip, entry, directory) + entry.packedBytes
    if (entry.offset < free || end > directory) throw damaged(because('zip_files_overlap'))
    free = end
  }
}

const dataStart = (zip: Buffer, { offset, name }: Entry, directory: number): number => {
  if (offset + localBytes > directory || zip.readUInt32LE(offset) !== signatures.local) {
    throw damaged(because('zip_file_missing'))
  }
  const nameEnd = offset + localBytes + zip.readUInt16LE(offset + 26)
  if (!zip.subarray(offset + localBytes, nameEnd).equals(name))
    throw damaged(because('zip_file_has_two_names'))
  return nameEnd + zip.readUInt16LE(offset + 28)
}

const contentOf = (zip: Buffer, entry: Entry): Buffer | undefined => {
  const start = dataStart(zip, entry, zip.length)
  const packed = zip.subarray(start, start + entry.packedBytes)
  const content = entry.isEncrypted ? undefined : unpack(packed, entry)
  return content?.length === entry.bytes && crc32(content) === entry.crc ? content : undefined
}

const unpack = (packed: Buffer, { method, bytes }: Entry): Buffer | undefined => {
  if (method === methods.stored) return Buffer.from(packed)
  if (method !== methods.deflated) return undefined
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) })
  } catch {
    return undefined
  }
}
