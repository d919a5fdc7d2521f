import { connect } from '@millseal/sdk'
import { callOptions, modeOption, readCallToken } from '../calls/options.ts'
import { ask, findResource, namesOf, textOf } from '../calls/resources.ts'
import { command } from '../frame/command.ts'
import { accessHelp, credentialHelp } from './credentials.ts'

export const get = command({
  args: ['what', 'id'],
  options: { ...modeOption, ...callOptions },
  description: `Prints one certificate, event, webhook or anything else that the API reads by its id, a line for each property.
<what> is one of ${namesOf('read').join(', ')}, or without its s.

${credentialHelp}
${accessHelp}`,
  examples: [
    'millseal get certificate 0198c2f4-6f0a-7c3e-9a51-2f0d6a1b7c44',
    'millseal get event <id> --json',
  ],
  async run({ args: [what = '', id = ''], values, environment }) {
    const resource = findResource('read', what)
    const client = connect(await readCallToken(values, environment, resource.operation.access))
    const query = resource.operation.mode === 'query' ? { mode: values.mode ?? 'test' } : {}
    const found = await ask<object>(client, resource, { params: { id }, query, company: values.company })
    const lines = Object.entries(found).map(([name, value]) => [name, textOf(value)] as const)
    const width = Math.max(...lines.map(([name]) => name.length)) + 2
    return { result: found, text: lines.map(([name, text]) => `${name.padEnd(width)}${text}\n`).join('') }
  },
})
