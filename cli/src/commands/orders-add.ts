import { readFile } from 'node:fs/promises'
import { limits } from '@millseal/contract/limits'
import { orderLineOfRow, readOrderTable } from '@millseal/contract/order-table'
import { connect } from '@millseal/sdk'
import { command } from '../frame/command.ts'
import { accessHelp, credentialHelp, credentialOptions, readAccessToken } from './credentials.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const ordersAdd = command({
  args: ['csv'],
  options: { ...credentialOptions, server: serverOption },
  description: `Keeps the order lines of a CSV file, with the columns order, item, grade, dimensions, quantity, unit, heats and requirement. A line whose order
and item are known replaces that line.

${credentialHelp}
${accessHelp}`,
  examples: ['millseal orders add orders.csv'],
  async run({ args: [file = ''], values, environment }) {
    const { rows, unknown } = readOrderTable(await readFile(file, 'utf8'))
    if (unknown.length > 0)
      throw new Error(`${file}: no column of order lines is called ${unknown.join(', ')}`)
    const lines = rows.map(orderLineOfRow)
    const baseUrl = serverAddress(values.server, environment)
    const accessToken = await readAccessToken({ baseUrl, clientId: values['client-id'] }, environment)
    const client = connect({ baseUrl, accessToken })
    const kept: { readonly hash: string }[] = []
    for (let at = 0; at < lines.length; at += limits.orders.lines) {
      const part = lines.slice(at, at + limits.orders.lines)
      kept.push(...(await client.keepOrderLines({ body: { lines: part } })))
    }
    return { result: { lines: kept }, text: `${kept.length} order lines kept` }
  },
})
