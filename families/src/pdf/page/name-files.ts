import type { FileReference } from '../../model/document.ts'
import type { PageFile } from './page-model.ts'

const certificateName = 'certificate.json'
const longestName = 120

/** Names that can be files of one folder anywhere: no path, nothing special, no two alike, none like the certificate. */
export const nameFiles = (attached: readonly FileReference[], files: Map<string, Buffer>): PageFile[] => {
  const taken = new Set([certificateName])
  return attached.map(({ name, type, description, base64 }, index) => {
    const bytes = Buffer.from(base64, 'base64')
    const path = `/attachment-${index + 1}`
    // The engine aborts its process on a file without bytes.
    if (bytes.length > 0) files.set(path, bytes)
    return {
      name: unique(safe(name, index), taken),
      ...(bytes.length > 0 ? { path } : {}),
      type: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
      ...(description === undefined ? {} : { description }),
      bytes: bytes.length,
    }
  })
}

const safe = (name: string, index: number): string => {
  const cleaned = name
    .replaceAll(/[\s/\\:*?"<>|]+/gu, '-')
    .replace(/^[-.]+/u, '')
    .slice(-longestName)
  return cleaned === '' ? `attachment-${index + 1}` : cleaned
}

const unique = (name: string, taken: Set<string>): string => {
  let candidate = name
  for (let copy = 2; taken.has(candidate.toLowerCase()); copy += 1) candidate = `${copy}-${name}`
  taken.add(candidate.toLowerCase())
  return candidate
}
