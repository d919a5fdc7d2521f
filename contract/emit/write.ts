import { readFile, writeFile } from 'node:fs/promises'
import { emitAsyncApi } from '../src/emit/asyncapi.ts'
import { differences } from '../src/emit/differences.ts'
import { emitOpenApi } from '../src/emit/openapi.ts'
import type { JsonMap } from '../src/emit/schemas.ts'
import { tableSource } from '../src/table.ts'

const documents = { 'openapi.json': emitOpenApi, 'asyncapi.json': emitAsyncApi } as const

const table = 'src/operation-table.ts'

const addressOf = (name: string) => new URL(`../${name}`, import.meta.url)

export const textOf = (document: JsonMap): string => `${JSON.stringify(document, undefined, 2)}\n`

/** The committed document, or an empty one. */
const committed = (name: string): Promise<string> => readFile(addressOf(name), 'utf8').catch(() => '{}')

export const staleDocuments = async (): Promise<string[]> => {
  const findings: string[] = []
  for (const [name, emit] of Object.entries(documents)) {
    const [document, text] = [emit(), await committed(name)]
    if (text === textOf(document)) continue
    const places = differences(JSON.parse(text), JSON.parse(textOf(document))).slice(0, 10)
    findings.push(`contract/${name} differs from the contract: ${places.join(', ') || 'its formatting'}`)
  }
  if ((await committed(table)) !== tableSource())
    findings.push(`contract/${table} differs from the operations`)
  return findings
}

const writeAll = async () => {
  for (const [name, emit] of Object.entries(documents)) await writeFile(addressOf(name), textOf(emit()))
  await writeFile(addressOf(table), tableSource())
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const findings = await staleDocuments()
    for (const finding of findings) process.stderr.write(`${finding}\n`)
    if (findings.length > 0) process.stderr.write('Run: script/dump\n')
    process.exitCode = findings.length > 0 ? 1 : 0
  } else await writeAll()
}
