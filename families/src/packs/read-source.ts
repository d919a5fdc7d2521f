import { stat } from 'node:fs/promises'
import { PackRejected, type PackSchema } from './manifest.ts'
import { readPackSchema } from './read-pack-schema.ts'
import { type Reading, startReading } from './reading.ts'

const maxFiles = 500
const licences = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'NOTICE']

/** The content of a folder that passed all checks. It contains checked files only. */
export type PackSource = {
  readonly files: ReadonlyMap<string, Buffer>
  readonly schemas: readonly PackSchema[]
}

export const readSource = async (folder: string): Promise<PackSource> => {
  const isFolder = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new PackRejected([`${folder} is not a readable folder`])
  const reading = startReading(folder)
  const schemas: PackSchema[] = []
  for (const type of await reading.folders('', /^[a-z0-9-]{1,60}-schemas$/)) {
    for (const version of await reading.folders(type, /^v\d{1,4}\.\d{1,4}\.\d{1,4}(-\d{1,4})?$/)) {
      schemas.push(...(await readPackSchema(reading, { type, version: version.slice(1) })))
    }
  }
  await storeLicences(reading)
  const { files, reasons } = reading
  if (reasons.length > 0) throw new PackRejected(reasons.slice(0, 20))
  if (files.size > maxFiles) throw new PackRejected([`it contains more than ${maxFiles} files`])
  if (schemas.length === 0) throw new PackRejected(['it contains no <type>-schemas/v<version>/schema.json'])
  return { files, schemas }
}

const storeLicences = async (reading: Reading): Promise<void> => {
  for (const name of licences) {
    const bytes = await reading.file(name)
    if (bytes !== undefined) reading.store(name, bytes)
  }
}
