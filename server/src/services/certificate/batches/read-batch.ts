import { type Document, limits } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { openZip, PackRejected, type ZippedFile } from '@millseal/families'
import { looksLikePdf } from '@millseal/proof'
import { certificateLimit, type CertificateSize, pdfBytesOf } from '../../../http/body.ts'
import { Problem } from '../../../lib/problem.ts'

export type BatchItem = {
  /** The file in an archive. */
  readonly name?: string
  /** Throws if it cannot be read, or is too large. */
  readonly bytes: () => Uint8Array
}

const unpackedBytes = 256 * 1024 * 1024

/** The certificates of a batch, in their order. */
export const readBatch = (size: CertificateSize, { bytes, type }: Document): readonly BatchItem[] => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const items = type === 'application/zip' ? filesOf(body, size) : linesOf(body, size)
  if (items.length === 0)
    throw new Problem('validation_failed', { reasons: [because('has_too_few_items', { limit: 1 })] })
  if (items.length > limits.batchItems)
    throw new Problem('validation_failed', {
      reasons: [because('has_too_many_items', { limit: limits.batchItems })],
    })
  return items
}

/** Blank lines are none. */
const linesOf = (body: Buffer, size: CertificateSize): readonly BatchItem[] => {
  const items: BatchItem[] = []
  let at = 0
  while (at < body.length && items.length <= limits.batchItems) {
    const found = body.indexOf('\n', at)
    const end = found === -1 ? body.length : found
    const line = body.subarray(at, end)
    at = end + 1
    if (!isBlank(line)) items.push({ bytes: () => bounded(line, size) })
  }
  return items
}

const blanks: readonly number[] = [0x20, 0x09, 0x0d]
const isBlank = (line: Buffer): boolean => line.every((byte) => blanks.includes(byte))

const filesOf = (body: Buffer, size: CertificateSize): readonly BatchItem[] => {
  const files = openArchive(body).filter(({ path, isFile }) => isFile && !isHidden(path))
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total > unpackedBytes)
    throw new Problem('validation_failed', {
      reasons: [because('pack_unpacks_to_too_much', { most: unpackedBytes })],
    })
  return files.map((file) => ({ name: file.path, bytes: () => bounded(contentOf(file, size), size) }))
}

const openArchive = (body: Buffer): readonly ZippedFile[] => {
  try {
    return openZip(body)
  } catch (error) {
    if (!(error instanceof PackRejected)) throw error
    throw new Problem('validation_failed', { reasons: error.reasons, cause: error })
  }
}

/** Programs add such files to archives for themselves. */
const isHidden = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX')

const contentOf = (file: ZippedFile, size: CertificateSize): Buffer => {
  if (file.bytes > pdfBytesOf(size)) throw tooLarge(size)
  const content = file.content()
  if (content === undefined) throw new Problem('malformed_request', { reasons: [because('file_damaged')] })
  return content
}

const bounded = (bytes: Buffer, size: CertificateSize): Uint8Array => {
  if (bytes.length > size.certificateBytes && !looksLikePdf(bytes)) throw tooLarge(size)
  return bytes
}

const tooLarge = (size: CertificateSize): Problem =>
  new Problem('body_too_large', { reasons: [certificateLimit(size)] })
