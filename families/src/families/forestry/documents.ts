import type { JsonValue } from '@millseal/proof'
import { at, entriesAt, listAt, textAt } from '../../certificate/shown.ts'
import { attachedFiles } from '../../mapping/attached-files.ts'
import { joinText, table } from '../../mapping/blocks.ts'
import type { Mapping } from '../../mapping/mapping.ts'
import type { Block, FileReference } from '../../model/document.ts'

/** By name, with `Others` as a list; the first drafts had a list of types with attachments. */
const documentsOf = (
  documents: JsonValue | undefined,
): readonly { readonly kind: string; readonly value: JsonValue | undefined }[] =>
  Array.isArray(documents)
    ? documents.map((one) => ({ kind: textAt(one, 'Type') ?? 'Others', value: at(one, 'Attachment') }))
    : entriesAt(documents).flatMap(([kind, value]) => listAt(value).map((one) => ({ kind, value: one })))

export const documentBlocks = (mapping: Mapping, documents: JsonValue | undefined): readonly Block[] => {
  const rows = documentsOf(documents)
  const column = (name: string, of: (value: JsonValue | undefined) => string | undefined) => ({
    label: mapping.label(name),
    isName: true,
    cells: rows.map(({ value }) => of(value)),
  })
  return table([
    {
      label: mapping.label('Document'),
      isName: true,
      cells: rows.map(({ kind }) => mapping.label(kind).join(' / ')),
    },
    column('FileName', (value) => textAt(value, 'FileName')),
    column('MIME-Type', (value) => textAt(value, 'MIME-Type')),
    column('URL', (value) => textAt(value, 'URL')),
    column('Hash', (value) =>
      joinText([
        textAt(value, 'Hash', 'Algorithm'),
        textAt(value, 'Hash', 'Encoding'),
        textAt(value, 'Hash', 'Value'),
      ]),
    ),
  ])
}

/** The files that the first drafts carried inside. */
export const attachedDocuments = (
  mapping: Mapping,
  documents: JsonValue | undefined,
): readonly FileReference[] => {
  const pointer = '/DigitalMaterialPassport/Documents'
  const value = documentsOf(documents).flatMap((one) =>
    textAt(one.value, 'Data') === undefined || one.value === undefined ? [] : [one.value],
  )
  return attachedFiles(mapping, { value, pointer, names: { type: 'MIME-Type' } })
}
