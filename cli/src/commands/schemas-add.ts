import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'

export const schemasAdd = command({
  args: ['folder'],
  description: `Imports certificate schemas and labels from a folder with <type>-schemas/v<version>/schema.json. A running server uses them within a second. If anything in the folder could harm the server, the
command imports nothing and prints all reasons. Importing the same folder twice changes nothing.

Works on the data folder (MILLSEAL_DATA_DIR), with or without a running server.`,
  examples: ['millseal schemas add ./schemas'],
  async run({ args: [folder = ''], environment }) {
    const pack = await (await installation(environment)).addPack(folder)
    const schemas = pack.schemas.map(({ type, version }) => `  ${type} ${version}\n`)
    return { result: pack, text: [`Imported ${pack.name}:\n`, ...schemas].join('') }
  },
})
