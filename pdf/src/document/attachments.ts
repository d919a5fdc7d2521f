import { array, dictionary, literal, name, type Source, text } from '../objects/source.ts'
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
    key: text(attachment.name),
    reference: refer(writeAttachment(file, attachment, date)),
  }))
  // Names of a tree are in the order of their bytes (ISO 32000-1, 7.9.6).
  const sorted = written.toSorted((a, b) => (sortKey(a.key) < sortKey(b.key) ? -1 : 1))
  return {
    embedded: dictionary({ Names: array(sorted.flatMap(({ key, reference }) => [key, reference])) }),
    associated: array(written.map(({ reference }) => reference)),
  }
}

/** A string in hexadecimal begins with FE FF, which is after every ASCII character. */
const sortKey = (source: Source): string => (source.startsWith('<') ? `\u{10FFFF}${source}` : source)

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
      F: /^[ -~]*$/u.test(fileName) ? text(fileName) : literal('attachment'),
      UF: text(fileName),
      Desc: text(description),
      AFRelationship: name(relationship),
      EF: dictionary({ F: embedded, UF: embedded }),
    }),
  )
}
