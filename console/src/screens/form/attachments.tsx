import { FileTrigger } from 'react-aria-components'
import { useState } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { useForm } from './form-context.ts'
import { below, isList, isObject, type Json, type JsonObject, textOf } from './json.ts'
import type { ObjectShape } from './schema.ts'
import { useValue } from './store.ts'

/** So much fits into a certificate of the size that services accept without being told otherwise. */
const usualBytes = 720_000

const bytesOf = (file: JsonObject): number => Math.floor((textOf(file['Data']).length * 3) / 4)

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const base64Of = (bytes: Uint8Array): string => {
  let binary = ''
  for (const byte of bytes) binary += String.fromCodePoint(byte)
  return btoa(binary)
}

/** With the members that the schema has: families name type and hash differently. */
const embed = async (file: File, { properties }: ObjectShape): Promise<JsonObject> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const hash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  const type = file.type === '' ? 'application/octet-stream' : file.type
  const members: JsonObject = {
    FileName: file.name,
    'MIME-Type': type,
    FileType: type,
    Encoding: 'base64',
    Data: base64Of(bytes),
    Hash: { Algorithm: 'SHA256', Encoding: 'hex', Value: hash },
    HashAlgorithm: 'SHA256',
    HashValue: hash,
  }
  return Object.fromEntries(Object.entries(members).filter(([name]) => properties.has(name)))
}

type Props = {
  readonly pointer: string
  readonly label: string
  readonly shape: ObjectShape
  /** False where the family has place for one file only. */
  readonly isMany: boolean
}

const filesIn = (value: Json | undefined): readonly JsonObject[] =>
  (isList(value) ? value.filter(isObject) : isObject(value) ? [value] : []).filter(
    (file) => textOf(file['Data']) !== '',
  )

/** Files that travel inside the certificate, chosen from this computer. */
export const Attachments = ({ pointer, label, shape, isMany }: Props) => {
  const { store } = useForm()
  const t = useTexts('form').attachments
  const { bytes } = useFormats()
  const [isReading, setReading] = useState(false)
  const files = filesIn(useValue(store, pointer))
  const total = files.reduce((sum, file) => sum + bytesOf(file), 0)
  const add = async (chosen: FileList | null): Promise<void> => {
    setReading(true)
    const added = await Promise.all([...(chosen ?? [])].map((file) => embed(file, shape)))
    setReading(false)
    if (isMany) store.set(pointer, [...files, ...added])
    else store.set(pointer, added[0])
  }
  return (
    <div className="stack" role="group" aria-label={label}>
      {files.length > 0 && (
        <ul className="lines">
          {files.map((file, at) => (
            <li key={`${at} ${textOf(file['FileName'])}`} className="row">
              <b className="breakable">{textOf(file['FileName'])}</b>
              <span className="muted">{bytes(bytesOf(file))}</span>
              <Button
                kind="quiet"
                className="end"
                aria-label={t.remove(textOf(file['FileName']))}
                onPress={() => store.set(isMany ? below(pointer, at) : pointer, undefined)}
              >
                ✕
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <FileTrigger allowsMultiple={isMany} onSelect={(chosen) => void add(chosen)}>
          <Button isPending={isReading}>{isMany ? t.choose : t.chooseOne}</Button>
        </FileTrigger>
        <span className="muted">{t.size(bytes(usualBytes))}</span>
      </div>
      {total > usualBytes && <p className="problem">{t.tooLarge(bytes(total))}</p>}
    </div>
  )
}
