import { installation } from '@millseal/server'
import { command } from '../frame/command.ts'
import { installationHelp } from './installation-help.ts'

export const schemasRemove = command({
  args: ['pack'],
  description: `Removes imported schemas, given as the name of their pack ("millseal schemas list"). Running servers stop
using them within a second, or five if they are in S3. Certificates that name them are then checked with the schemas that come with Millseal, or are
rejected if there is none.

${installationHelp}`,
  examples: ['millseal schemas remove pack-0123456789abcdef'],
  async run({ args: [name = ''], environment }) {
    const removed = await (await installation(environment)).removePack(name)
    if (!removed) throw new Error(`There is no pack ${name}; try millseal schemas list`)
    return { result: { name }, text: `Removed ${name}\n` }
  },
})
