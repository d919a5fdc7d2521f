import type { FileReference } from '../../model/document.ts'
import type { PageFile } from './page-model.ts'
import { withoutUndefined } from '../../model/without-undefined.ts'

const certificateName = 'certificate.json'
const maxNameLength = 120

/** Gives attachments names that are valid on every file system, unique, and different from the certificate's. */
export const nameFiles = (attached: readonly FileReference[], files: Map<string, Buffer>): PageFile[] => {
  const taken = new Set([certificateName])
  return attached.map(({ name, type, description, base64 }, index) => {
    const bytes = Buffer.from(base64, 'base64')
    const path = `/attachment-${index + 1}`
    // The engine aborts its process if a file is empty.
    if (bytes.length > 0) files.set(path, bytes)
    return withoutUndefined({
      name: unique(safe(name, index), taken),
      path: bytes.length > 0 ? path : undefined,
      type: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
      description,
      bytes: bytes.length,
    })
  })
}

const safe = (name: string, index: number): string => {
  const cleaned = name
    .replaceAll(/[\s/\\:*?"<>|]+/gu, '-')
    .replace(/^[-.]+/u, '')
    .slice(-maxNameLength)
  return cleaned === '' ? `attachment-${index + 1}` : cleaned
}

const unique = (name: string, taken: Set<string>): string => {
  let candidate = name
  for (let copy = 2; taken.has(candidate.toLowerCase()); copy += 1) candidate = `${copy}-${name}`
  taken.add(candidate.toLowerCase())
  return candidate
}
