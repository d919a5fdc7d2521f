import { because } from '@millseal/contract/reasons'
import type { JsonObject } from '../certificate/read-certificate.ts'
import { FileUnusable, reasonOf } from './file-unusable.ts'
import type { OfferedFiles } from './offer/collector.ts'
import type { OfferedDocuments } from './offered-documents.ts'

/** Repositories of several families and of one family spell it differently. */
const names = ['translations.json', 'translation.json']

/**
 * The labels beside a schema, as bytes to store: one file, or one file per language (`EN.json`, `DE.json`). Throws
 * `FileUnusable`, which names the file.
 */
export const readLabelFiles = (
  path: string,
  { files, unusable }: OfferedFiles,
  documents: OfferedDocuments,
): Buffer | undefined => {
  const folder = path.replace(/[^/]*$/, '')
  for (const file of names.map((name) => `${folder}${name}`)) {
    const reason = unusable.get(file)
    if (reason !== undefined) throw new FileUnusable(because('file_unusable', { file, flaw: reason }))
    if (isEmpty(files.get(file))) continue
    if (read(file, documents) !== undefined) return files.get(file)
  }
  const languages = [...files.keys()].filter(
    (file) =>
      file.startsWith(folder) &&
      /^[A-Z]{2}\.json$/.test(file.slice(folder.length)) &&
      !isEmpty(files.get(file)),
  )
  if (languages.length === 0) return undefined
  const labels = languages.toSorted().map((file) => [file.slice(folder.length, -5), read(file, documents)])
  return Buffer.from(JSON.stringify(Object.fromEntries(labels)))
}

/** Published so for a language that is not translated yet. */
const isEmpty = (bytes: Buffer | undefined): boolean => bytes?.toString('latin1').trim() === ''

const read = (file: string, documents: OfferedDocuments): JsonObject | undefined => {
  try {
    return documents.at(file)
  } catch (error) {
    throw new FileUnusable(because('file_refused', { file, flaw: reasonOf(error) }), { cause: error })
  }
}
