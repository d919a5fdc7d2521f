import { createGunzip } from 'node:zlib'
import { because, type Reason } from '@millseal/contract/reasons'
import { PackRejected } from '../manifest.ts'
import { openByteStream, type ByteStream } from './byte-stream.ts'
import { type Collector, offerLimits } from './collector.ts'

const block = 512
/** Of the names that a header of its own carries. */
const maxNameBytes = 64 * 1024

type Header = {
  readonly path: string
  readonly bytes: number
  /** POSIX pax, 4.4: `0` file, `1` and `2` links, `5` folder, `x` and `g` attributes; `L` and `K` long names of GNU tar. */
  readonly kind: string
}

/** Reads the wanted files of a gzipped tar archive as it is unpacked; the archive is never in memory as a whole. */
export const readTarGz = async (archive: Buffer, prefix: string, collector: Collector): Promise<void> => {
  const gunzip = createGunzip()
  gunzip.end(archive)
  try {
    await readTar(openByteStream(gunzip, offerLimits.unpackedBytes), prefix, collector)
  } catch (error) {
    if (error instanceof PackRejected) throw error
    throw damaged(because('archive_damaged'))
  } finally {
    gunzip.destroy()
  }
}

const readTar = async (stream: ByteStream, prefix: string, collector: Collector): Promise<void> => {
  let longPath: string | undefined
  for (;;) {
    const header = await readHeader(stream)
    if (header === undefined) return
    const padded = Math.ceil(header.bytes / block) * block
    if (header.kind === 'x' || header.kind === 'L') {
      const name = await readName(stream, header, padded)
      longPath = header.kind === 'L' ? name.replace(/\0+$/, '') : (paxPath(name) ?? longPath)
      continue
    }
    const path = `${prefix}${(longPath ?? header.path).replace(/^(?:\.\/)+/, '')}`
    const isFile = header.kind === '0'
    longPath = undefined
    if (isEntry(header, path, prefix) && collector.wants({ path, bytes: header.bytes, isFile })) {
      collector.add(path, (await stream.take(padded)).subarray(0, header.bytes))
    } else await stream.skip(padded)
  }
}

/** Attributes of all entries, names of link targets and folders are not entries of their own. */
const isEntry = ({ kind }: Header, path: string, prefix: string): boolean =>
  !['g', 'K', '5'].includes(kind) && path !== prefix && path !== `${prefix}.`

/** Undefined at the end: a block of zeros. */
const readHeader = async (stream: ByteStream): Promise<Header | undefined> => {
  const bytes = await stream.take(block)
  if (bytes.every((byte) => byte === 0)) return undefined
  const sum = bytes.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (sum !== octal(bytes.subarray(148, 156))) throw damaged(because('tar_checksum_wrong'))
  const name = text(bytes.subarray(0, 100))
  const isPosix = bytes.toString('latin1', 257, 263) === 'ustar\0'
  const folder = isPosix ? text(bytes.subarray(345, 500)) : ''
  const kind = String.fromCharCode(bytes[156] ?? 0)
  return {
    path: folder === '' ? name : `${folder}/${name}`,
    bytes: octal(bytes.subarray(124, 136)),
    kind: kind === '\0' || kind === '7' ? '0' : kind,
  }
}

const damaged = (fault: Reason): PackRejected => new PackRejected([because('pack_not_tar', { fault })])

const text = (bytes: Buffer): string => bytes.toString('utf8').replace(/\0.*$/s, '')

/** Larger numbers are written in another way; no file that an archive of schemas has is that large. */
const octal = (bytes: Buffer): number => {
  const digits = bytes.toString('latin1').replaceAll(/[\0 ]/g, '')
  if (!/^[0-7]{1,11}$/.test(digits)) throw damaged(because('tar_number_wrong'))
  return Number.parseInt(digits, 8)
}

const readName = async (stream: ByteStream, { bytes }: Header, padded: number): Promise<string> => {
  if (bytes > maxNameBytes) throw damaged(because('tar_name_too_long'))
  return (await stream.take(padded)).toString('utf8', 0, bytes)
}

/** Records are `<length> <key>=<value>\n`. A size beside the header would let two readers see different files. */
const paxPath = (records: string): string | undefined => {
  let path: string | undefined
  for (const record of records.split('\n')) {
    const [, key, value] = /^\d+ ([^=]+)=(.*)$/s.exec(record) ?? []
    if (key === 'size') throw damaged(because('tar_has_two_sizes'))
    if (key === 'path') path = value
  }
  return path
}
