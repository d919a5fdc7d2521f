import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'

export const schemasList = command({
  details: `Lists what was imported, oldest first. The families that come with Millseal are not packs and not listed.

Works in the data folder (MILLSEAL_DATA_DIR).`,
  examples: ['millseal schemas list'],
  async run({ environment }) {
    const packs = await (await installation(environment)).listPacks()
    const lines = packs.flatMap(({ name, importedAt, schemas }) => [
      `${name}, imported ${importedAt}\n`,
      ...schemas.map(({ type, version, id }) => `  ${type} ${version}  ${id}\n`),
    ])
    return { result: packs, said: lines.length === 0 ? 'Nothing was imported.\n' : lines.join('') }
  },
})
