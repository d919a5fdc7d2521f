import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { installationHelp } from './installation-help.ts'

export const schemasAdd = command({
  args: ['path'],
  description: `Imports certificate schemas and their labels: a folder, .zip, .tgz or .tar.gz of a repository of published
schemas, or a folder of such archives. Imports every schema.json with all its versions. Definitions that a schema refers to
must be in the same import. Running servers use the schemas within a second, or five if they are in S3. Importing the same twice changes nothing.

A schema that cannot be used, or could harm the server, is refused with the reason, and the others are imported. The exit
code is 0 if everything was imported, and 1 if anything was refused or nothing was found.

${installationHelp}`,
  examples: ['millseal schemas add ./schemas', 'millseal schemas add EN10168-schemas-0.4.1.zip --json'],
  async run({ args: [path = ''], environment, terminal }) {
    const { pack, refused } = await (await installation(environment)).addPack(
      path,
      ({ done, total, file }) => {
        if (total > 1) terminal.progress(`Checking schema ${done + 1} of ${total}: ${file}`)
      },
    )
    const schemas = pack.schemas.map(({ type, version }) => `  ${type} ${version}\n`)
    const reasons = refused.flatMap((one) => one.reasons.map((reason) => `  ${one.file}: ${reason}\n`))
    return {
      result: { ...pack, refused },
      text: [
        `Imported ${pack.name}:\n`,
        ...schemas,
        ...(refused.length === 0 ? [] : ['Refused:\n', ...reasons]),
      ].join(''),
      ok: refused.length === 0,
    }
  },
})
