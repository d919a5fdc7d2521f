import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

/** A file of an archive; the fields after `content` make archives that no honest program writes. */
export type ArchivedFile = {
  readonly path: string
  readonly content: string | Buffer
  /** zip: the mode of a Unix file; tar: the type of the entry. */
  readonly mode?: number
  readonly kind?: string
  /** What the directory of a zip says instead. */
  readonly claimedBytes?: number
  readonly localPath?: string
  readonly flags?: number
  readonly method?: number
}

export const filesOf = (contents: Readonly<Record<string, string | Buffer>>): ArchivedFile[] =>
  Object.entries(contents).map(([path, content]) => ({ path, content }))

/** `shareData` lets every entry point to the first one. */
export const zipOf = (files: readonly ArchivedFile[], { shareData = false } = {}): Buffer => {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const bytes = Buffer.from(file.content)
    const packed = deflateRawSync(bytes)
    const facts = Buffer.alloc(22)
    facts.writeUInt16LE(file.flags ?? 0x800, 0)
    facts.writeUInt16LE(file.method ?? 8, 2)
    facts.writeUInt32LE(crc32(bytes), 8)
    facts.writeUInt32LE(packed.length, 12)
    facts.writeUInt32LE(file.claimedBytes ?? bytes.length, 16)
    const name = Buffer.from(file.path)
    const local = Buffer.from(file.localPath ?? file.path)
    const start = shareData && directory.length > 0 ? 0 : offset
    if (start === offset) {
      const head = [word(0x04034b50), half(20), facts, half(0)]
      head[2]?.writeUInt16LE(local.length, 20)
      locals.push(...head.map((part) => Buffer.from(part)), local, packed)
      offset += 30 + local.length + packed.length
    }
    facts.writeUInt16LE(name.length, 20)
    const rest = [half(0), half(0), half(0), half(0), word(((file.mode ?? 0) << 16) >>> 0), word(start)]
    directory.push(word(0x02014b50), half(0x0314), half(20), Buffer.from(facts), ...rest, name)
  }
  const entries = Buffer.concat(directory)
  const count = half(files.length)
  const end = [word(0x06054b50), word(0), count, count, word(entries.length), word(offset), half(0)]
  return Buffer.concat([...locals, entries, ...end])
}

const half = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export const tarGzOf = (files: readonly ArchivedFile[]): Buffer =>
  gzipSync(Buffer.concat([...files.flatMap(tarEntry), Buffer.alloc(1_024)]))

const tarEntry = ({ path, content, kind = '0' }: ArchivedFile): Buffer[] => {
  const bytes = Buffer.from(content)
  if (Buffer.byteLength(path) > 100) {
    const record = ` path=${path}\n`
    const length = [2, 3, 4].map((digits) => digits + Buffer.byteLength(record)).find(hasThisLength)
    return [
      ...tarEntry({ path: 'attributes', content: `${length}${record}`, kind: 'x' }),
      ...tarEntry({ path: 'short', content, kind }),
    ]
  }
  const header = Buffer.alloc(512)
  header.write(path, 0)
  header.write('0000644\0', 100)
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(kind, 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
}

const hasThisLength = (length: number, index: number): boolean => String(length).length === index + 2
