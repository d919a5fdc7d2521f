import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { installationHelp } from './installation-help.ts'

export const schemasList = command({
  description: `Lists imported schemas, oldest first. Does not list the families that come with Millseal.

${installationHelp}`,
  examples: ['millseal schemas list'],
  async run({ environment }) {
    const packs = await (await installation(environment)).listPacks()
    const lines = packs.flatMap(({ name, importedAt, schemas }) => [
      `${name}, imported ${importedAt}\n`,
      ...schemas.map(({ type, version, id }) => `  ${type} ${version}  ${id}\n`),
    ])
    return { result: packs, text: lines.length === 0 ? 'There are no imported schemas.\n' : lines.join('') }
  },
})
