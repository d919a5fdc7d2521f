import { array, dictionary, isAscii, literal, name, type Source, text } from '../objects/source.ts'
import { type ObjectFile, type Reference, refer } from '../objects/object-file.ts'

/** A file inside the PDF. Names are unique. */
export type Attachment = {
  readonly name: string
  readonly type: string
  readonly description: string
  /** `Source`: the PDF shows what is in it. `Supplement`: it adds to what the PDF shows. */
  readonly relationship: 'Source' | 'Supplement'
  readonly bytes: Uint8Array
}

/** Writes the files; answers the tree of their names and the list of files that belong to the document. */
export const writeAttachments = (
  file: ObjectFile,
  attachments: readonly Attachment[],
  date: Source,
): { readonly embedded: Source; readonly associated: Source } => {
  const written = attachments.map((attachment) => ({
    name: attachment.name,
    reference: refer(writeAttachment(file, attachment, date)),
  }))
  // Names of a tree are in the order of their bytes (ISO 32000-1, 7.9.6).
  const sorted = written.toSorted((a, b) => (sortKey(a.name) < sortKey(b.name) ? -1 : 1))
  return {
    embedded: dictionary({
      Names: array(sorted.flatMap(({ name: key, reference }) => [text(key), reference])),
    }),
    associated: array(written.map(({ reference }) => reference)),
  }
}

/** Text that is not ASCII is written as UTF-16, which begins with the byte FE: after every ASCII character. */
const sortKey = (fileName: string): string => (isAscii(fileName) ? fileName : `\u00FE${fileName}`)

const writeAttachment = (
  file: ObjectFile,
  { name: fileName, type, description, relationship, bytes }: Attachment,
  date: Source,
): Reference => {
  const embedded = refer(
    file.addStream({
      entries: {
        Type: '/EmbeddedFile',
        Subtype: name(type),
        Params: dictionary({ ModDate: date, Size: bytes.length }),
      },
      bytes,
    }),
  )
  return file.add(
    dictionary({
      Type: '/Filespec',
      F: isAscii(fileName) ? text(fileName) : literal('attachment'),
      UF: text(fileName),
      Desc: text(description),
      AFRelationship: name(relationship),
      EF: dictionary({ F: embedded, UF: embedded }),
    }),
  )
}
