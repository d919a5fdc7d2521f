import { readPicture } from '../pictures/read-picture.ts'
import type { PackLayoutFile } from './manifest.ts'
import type { Reading } from './reading.ts'
import { withoutUndefined } from '../model/without-undefined.ts'

const logoNames = ['logo.png', 'logo.jpg', 'logo.jpeg']

/** Reads `layouts/<name>/`: layout.typ, an optional logo, and an optional layout.json with company and families. */
export const readPackLayout = async (reading: Reading, name: string): Promise<readonly PackLayoutFile[]> => {
  const place = `layouts/${name}`
  const source = await reading.file(`${place}/layout.typ`)
  if (source === undefined) {
    reading.reject(`${place}/layout.typ is missing`)
    return []
  }
  reading.store(`${place}/layout.typ`, source)
  const facts = await reading.file(`${place}/layout.json`)
  const { families, company } = facts === undefined ? {} : (reading.json(`${place}/layout.json`, facts) ?? {})
  const logo = await readLogo(reading, place)
  return [
    withoutUndefined({
      name,
      families: Array.isArray(families) ? families.filter((family) => typeof family === 'string') : [],
      company: typeof company === 'string' ? company : undefined,
      logo,
    }),
  ]
}

const readLogo = async (reading: Reading, place: string): Promise<string | undefined> => {
  for (const name of logoNames) {
    const bytes = await reading.file(`${place}/${name}`)
    if (bytes === undefined) continue
    const read = readPicture(bytes.toString('base64'))
    if ('flaw' in read) reading.reject(`${place}/${name} ${read.flaw}`)
    reading.store(`${place}/${name}`, bytes)
    return name
  }
  return undefined
}
