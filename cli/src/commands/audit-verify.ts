import { verifyArchives } from '@millseal/server'
import { command } from '../frame/command.ts'
import { archiveText } from './audit-archive.ts'

export const auditVerify = command({
  args: ['file'],
  options: {
    after: { value: '<file>', about: 'the archive before it, which it must continue' },
  },
  description: `Verifies a file of millseal audit archive: computes the chain of hashes from its entries again and compares it with the end. Prints
the transaction of the live log that must have the same position and hash; millseal log prove shows it.

Needs no installation and no network.`,
  examples: ['millseal audit verify audit-2025.ndjson --after audit-2024.ndjson'],
  async run({ args: [path = ''], values: { after } }) {
    const [report] = (await verifyArchives([...(after === undefined ? [] : [after]), path])).slice(-1)
    if (report === undefined) throw new Error(`${path}: no archive`)
    return { result: { file: path, ...report }, text: `${path}: valid: ${archiveText(report)}` }
  },
})
