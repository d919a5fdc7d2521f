import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'

export const schemasAdd = command({
  args: ['folder'],
  details: `Imports certificate schemas, labels and layouts: <type>-schemas/v<version>/schema.json, layouts/<name>/layout.typ. A running server knows them within a second. What could harm the
server is refused, with all reasons. Importing the same twice changes nothing.

Works in the data folder (MILLSEAL_DATA_DIR) whether or not a server runs there.`,
  examples: ['millseal schemas add ./schemas'],
  async run({ args: [folder = ''], environment }) {
    const pack = await (await installation(environment)).addPack(folder)
    const schemas = pack.schemas.map(({ type, version }) => `  ${type} ${version}\n`)
    const layouts = pack.layouts.map(({ name }) => `  layout ${name}\n`)
    return { result: pack, said: [`${pack.name} is imported:\n`, ...schemas, ...layouts].join('') }
  },
})
