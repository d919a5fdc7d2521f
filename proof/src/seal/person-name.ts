import { type DerValue, readDer, tags } from '../stamps/der.ts'
import { oid, oidOf, openFields } from '../stamps/fields.ts'
import { plainLine } from '../verification/plain-line.ts'

const commonName = oid('2.5.4.3')
const organization = oid('2.5.4.10')
const bmpString = 0x1e
const utf8String = 0x0c

/** A distinguished name for people: the organization, and what else names it. */
export const personName = (name: Uint8Array): string => {
  const found = new Map<string, string>()
  for (const set of readDer(name).parts)
    for (const part of set.parts) {
      const fields = openFields(part, 'name')
      const kind = oidOf(fields.take(tags.oid))
      const [, value] = part.parts
      if (value !== undefined && !found.has(kind)) found.set(kind, plainLine(textOf(value), 120))
    }
  const [company, common] = [found.get(organization), found.get(commonName)]
  const names = [company, common === company ? undefined : common].filter(Boolean)
  return names.length === 0 ? '?' : names.join(', ')
}

const decoders: Readonly<Partial<Record<number, string>>> = { [bmpString]: 'utf-16be', [utf8String]: 'utf-8' }

const textOf = ({ tag, content }: DerValue): string =>
  new TextDecoder(decoders[tag] ?? 'latin1').decode(content)
