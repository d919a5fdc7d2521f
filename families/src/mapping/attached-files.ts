import type { JsonValue } from '@millseal/proof'
import { listAt, textAt } from '../certificate/shown.ts'
import type { FileReference } from '../model/document.ts'
import { joinText } from './blocks.ts'
import type { Mapping } from './mapping.ts'
import { withoutUndefined } from '../model/without-undefined.ts'

/** The files attached to a certificate. A file that is not valid Base64 is left out with a warning. */
export const attachedFiles = (
  mapping: Mapping,
  from: { value: JsonValue | undefined; pointer: string; names: { readonly type: string } },
): readonly FileReference[] =>
  listAt(from.value).flatMap((file, index) => {
    const data = textAt(file, 'Data') ?? ''
    const name = safeName(textAt(file, 'FileName') ?? `attachment-${index + 1}`)
    const type = safeType(textAt(file, from.names.type))
    const base64 = toBase64(data, textAt(file, 'Encoding'))
    if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
      const list = Array.isArray(from.value)
      mapping.warn({
        pointer: `${from.pointer}${list ? `/${index}` : ''}/Data`,
        reason: 'The attachment is not valid Base64 and was left out',
      })
      return []
    }
    return [withoutUndefined({ name, type, base64, description: hashOf(file) })]
  })

/** The hash of the file as stated in the certificate. */
const hashOf = (file: JsonValue): string | undefined => {
  const value = textAt(file, 'Hash', 'Value') ?? textAt(file, 'HashValue')
  const algorithm = textAt(file, 'Hash', 'Algorithm') ?? textAt(file, 'HashAlgorithm')
  return value === undefined ? undefined : joinText([algorithm, value.slice(0, 200)])
}

const toBase64 = (data: string, encoding: string | undefined): string => {
  const text = data.replace(/^data:[^,]{0,200},/, '').replaceAll(/\s+/g, '')
  return encoding?.toLowerCase() === 'hex' && /^([0-9a-f]{2})+$/i.test(text)
    ? Buffer.from(text, 'hex').toString('base64')
    : text
}

/** A short name without path and control characters, safe for a save dialog. */
const safeName = (name: string): string => {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const clean = [...last]
    .filter((character) => character >= ' ' && character !== '\u007f')
    .join('')
    .trim()
  return clean === '' || clean.startsWith('.') ? `attachment${clean}` : clean.slice(0, 120)
}

const safeType = (type: string | undefined): string =>
  type !== undefined && /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,60}$/i.test(type)
    ? type.toLowerCase()
    : 'application/octet-stream'
