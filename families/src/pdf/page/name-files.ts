import type { Attachment } from '@millseal/pdf'
import type { FileReference } from '../../model/document.ts'

const certificateName = 'certificate.json'
const maxNameLength = 120

/** A file of the list: its name is unique and valid on every file system. */
export type NamedFile = {
  readonly name: string
  readonly type: string
  readonly description: string | undefined
  readonly size: number
  readonly bytes: Uint8Array
}

export const nameFiles = (attached: readonly FileReference[]): NamedFile[] => {
  const taken = new Set([certificateName])
  return attached.map(({ name, type, description, base64 }, index) => {
    const bytes = Buffer.from(base64, 'base64')
    return {
      name: unique(safe(name, index), taken),
      type: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream',
      description,
      size: bytes.length,
      bytes,
    }
  })
}

/** The certificate as received, and the files that are attached to it. An empty file is only listed. */
export const attachmentsOf = (certificate: Uint8Array, files: readonly NamedFile[]): Attachment[] => [
  {
    name: certificateName,
    type: 'application/json',
    description: 'The certificate as it was received',
    relationship: 'Source',
    bytes: certificate,
  },
  ...files
    .filter(({ size }) => size > 0)
    .map(
      ({ name, type, description = name, bytes }): Attachment => ({
        name,
        type,
        description,
        relationship: 'Supplement',
        bytes,
      }),
    ),
]

const safe = (name: string, index: number): string => {
  const cleaned = name
    .replaceAll(/(?! )[\s/\\:*?"<>|]+/gu, '-')
    .trim()
    .replace(/^[-.]+/u, '')
    .slice(-maxNameLength)
    .toWellFormed()
  return cleaned === '' ? `attachment-${index + 1}` : cleaned
}

const unique = (name: string, taken: Set<string>): string => {
  let candidate = name
  for (let copy = 2; taken.has(candidate.toLowerCase()); copy += 1) candidate = `${copy}-${name}`
  taken.add(candidate.toLowerCase())
  return candidate
}
