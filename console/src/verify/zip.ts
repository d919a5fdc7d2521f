import { inflate } from '@millseal/proof/verifier'
import { Trouble } from './service.ts'

/** The entries of a zip file, decompressed by the browser. */
export type Entry = { readonly name: string; readonly bytes: () => Promise<Uint8Array<ArrayBuffer>> }

const unreadable = (cause?: unknown): Trouble => new Trouble((texts) => texts.fileUnreadable, { cause })

const [endOfDirectory, directoryEntry, localEntry] = [0x06054b50, 0x02014b50, 0x04034b50]
const endLength = 22
const longestComment = 65_535
const maxEntries = 5_000
const maxEntryBytes = 64 * 1_024 * 1_024

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)

/** Reads the directory at the end of the file (APPNOTE 4.3.12). Encrypted entries and zip64 are not read. */
export const entriesOf = (zip: Uint8Array<ArrayBuffer>): readonly Entry[] => {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  try {
    let end = zip.length - endLength
    const first = Math.max(0, end - longestComment)
    while (end >= first && view.getUint32(end, true) !== endOfDirectory) end -= 1
    const count = view.getUint16(end + 10, true)
    if (count > maxEntries) throw unreadable()
    const entries: Entry[] = []
    let at = view.getUint32(end + 16, true)
    for (let seen = 0; seen < count; seen += 1) {
      if (view.getUint32(at, true) !== directoryEntry) throw unreadable()
      const [nameLength, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true)) as [
        number,
        number,
        number,
      ]
      const name = new TextDecoder().decode(zip.subarray(at + 46, at + 46 + nameLength))
      const place = at
      if (!name.endsWith('/')) entries.push({ name, bytes: () => contentOf(zip, view, place) })
      at += 46 + nameLength + extra + comment
    }
    return entries
  } catch (error) {
    throw unreadable(error)
  }
}

const contentOf = async (
  zip: Uint8Array<ArrayBuffer>,
  view: DataView,
  at: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    const flags = view.getUint16(at + 8, true)
    const method = view.getUint16(at + 10, true)
    const [length, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const local = view.getUint32(at + 42, true)
    if ((flags & 1) !== 0 || size > maxEntryBytes || view.getUint32(local, true) !== localEntry)
      throw unreadable()
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    const data = zip.slice(start, start + length)
    if (method === 0) return data
    if (method !== 8) throw unreadable()
    const whole = await inflate(data, { left: size }, 'deflate-raw')
    if (whole?.length !== size) throw unreadable()
    return whole
  } catch (error) {
    throw unreadable(error)
  }
}
