import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useFormats } from '../texts/format.ts'
import type { Texts } from '../texts/languages.ts'
import { Button } from './button.tsx'

/** The members of a file in a certificate. */
export type EmbeddedFile = Readonly<Record<string, string | Readonly<Record<string, string>>>>

/** The most that fits into a certificate of the size that services accept by default. */
const usualBytes = 720_000

const textOf = (file: EmbeddedFile, name: string): string => {
  const value = file[name]
  return typeof value === 'string' ? value : ''
}

const bytesOf = (file: EmbeddedFile): number => Math.floor((textOf(file, 'Data').length * 3) / 4)

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const base64Of = (bytes: Uint8Array): string => {
  let binary = ''
  for (const byte of bytes) binary += String.fromCodePoint(byte)
  return btoa(binary)
}

/** Writes only members that the schema has: families name type and hash differently. */
const embed = async (file: File, names: ReadonlySet<string>): Promise<EmbeddedFile> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const hash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  const type = file.type === '' ? 'application/octet-stream' : file.type
  const members: EmbeddedFile = {
    FileName: file.name,
    'MIME-Type': type,
    FileType: type,
    Encoding: 'base64',
    Data: base64Of(bytes),
    Hash: { Algorithm: 'SHA256', Encoding: 'hex', Value: hash },
    HashAlgorithm: 'SHA256',
    HashValue: hash,
  }
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.has(name)))
}

type Props = {
  readonly label: string
  readonly texts: Texts['form']['attachments']
  /** The members that the family has. */
  readonly names: ReadonlySet<string>
  /** False if there is room for one file only. */
  readonly isMany: boolean
  readonly files: readonly EmbeddedFile[]
  readonly onChange: (files: readonly EmbeddedFile[]) => void
}

/** Files that travel inside a certificate, chosen from this computer. */
export const EmbeddedFiles = ({ label, texts: t, names, isMany, files, onChange }: Props) => {
  const { bytes } = useFormats()
  const [isReading, setReading] = useState(false)
  const total = files.reduce((sum, file) => sum + bytesOf(file), 0)
  const add = async (chosen: FileList | null): Promise<void> => {
    setReading(true)
    const added = await Promise.all([...(chosen ?? [])].map((file) => embed(file, names)))
    setReading(false)
    onChange(isMany ? [...files, ...added] : added)
  }
  return (
    <div className="stack" role="group" aria-label={label}>
      {files.length > 0 && (
        <ul className="lines">
          {files.map((file, at) => (
            <li key={`${at} ${textOf(file, 'FileName')}`} className="row">
              <b className="breakable">{textOf(file, 'FileName')}</b>
              <span className="muted">{bytes(bytesOf(file))}</span>
              <Button
                kind="quiet"
                className="end"
                aria-label={t.remove(textOf(file, 'FileName'))}
                onPress={() => onChange(files.toSpliced(at, 1))}
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
