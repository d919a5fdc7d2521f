import { type Document, limits } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { openZip, PackRejected, type ZippedFile } from '@millseal/families'
import { looksLikePdf } from '@millseal/proof'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'

export type BatchItem = {
  /** The file in an archive. */
  readonly name?: string
  /** Throws if it cannot be read, or is too large. */
  readonly bytes: () => Uint8Array
}

const unpackedBytes = 256 * 1024 * 1024

/** The certificates of a batch, in their order. */
export const readBatch = (
  { certificateBytes }: CertificateDependencies,
  { bytes, type }: Document,
): readonly BatchItem[] => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const items = type === 'application/zip' ? filesOf(body, certificateBytes) : linesOf(body, certificateBytes)
  if (items.length === 0)
    throw new Problem('validation_failed', { reasons: [because('has_too_few_items', { limit: 1 })] })
  if (items.length > limits.batchItems)
    throw new Problem('validation_failed', {
      reasons: [because('has_too_many_items', { limit: limits.batchItems })],
    })
  return items
}

/** Blank lines are none. */
const linesOf = (body: Buffer, most: number): readonly BatchItem[] => {
  const items: BatchItem[] = []
  let at = 0
  while (at < body.length && items.length <= limits.batchItems) {
    const found = body.indexOf('\n', at)
    const end = found === -1 ? body.length : found
    const line = body.subarray(at, end)
    at = end + 1
    if (!isBlank(line)) items.push({ bytes: () => bounded(line, most) })
  }
  return items
}

const blanks: readonly number[] = [0x20, 0x09, 0x0d]
const isBlank = (line: Buffer): boolean => line.every((byte) => blanks.includes(byte))

const filesOf = (body: Buffer, most: number): readonly BatchItem[] => {
  const files = openArchive(body).filter(({ path, isFile }) => isFile && !isHidden(path))
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total > unpackedBytes)
    throw new Problem('validation_failed', {
      reasons: [because('pack_unpacks_to_too_much', { most: unpackedBytes })],
    })
  return files.map((file) => ({ name: file.path, bytes: () => bounded(contentOf(file, most), most) }))
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

/** A PDF contains the certificate, its attached files, and fonts. */
const pdfBytes = (most: number): number => 3 * most + 1024 * 1024

const contentOf = (file: ZippedFile, most: number): Buffer => {
  const content = file.bytes > pdfBytes(most) ? undefined : file.content()
  if (content !== undefined) return content
  if (file.bytes > pdfBytes(most)) throw tooLarge(most)
  throw new Problem('malformed_request', { reasons: [because('file_damaged')] })
}

const bounded = (bytes: Buffer, most: number): Uint8Array => {
  if (bytes.length > most && !looksLikePdf(bytes)) throw tooLarge(most)
  return bytes
}

const tooLarge = (most: number): Problem => {
  const mebibytes = (count: number) => count / (1024 * 1024)
  return new Problem('body_too_large', {
    reasons: [because('certificate_has_most', { most: mebibytes(most), pdf: mebibytes(pdfBytes(most)) })],
  })
}
