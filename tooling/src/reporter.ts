import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What a run of the tests came to; read by prove.ts. */
export type Summary = { passed: number; failed: number; skipped: string[] }

type Result = {
  readonly name: string
  readonly file?: string
  readonly skip?: string | boolean
  readonly details: Details
}
type Details = { readonly type?: string; readonly duration_ms: number; readonly error?: unknown }

/** Quiet while things hold: a line for each skipped test, the whole story of each failed one. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const summary: Summary = { passed: 0, failed: 0, skipped: [] }
  for await (const event of events) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') yield indent(event.data.message)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const result = event.data as Result
    if (result.details.type === 'suite') continue
    const place = result.file === undefined ? '' : ` (${relative(process.cwd(), result.file)})`
    if (event.type === 'test:fail') {
      summary.failed += 1
      yield `  ✗ ${result.name}${place}\n${indent(story(result.details.error))}`
    } else if (result.skip !== undefined && result.skip !== false) {
      const why = typeof result.skip === 'string' ? `: ${result.skip}` : ''
      summary.skipped.push(`${result.name}${why}`)
      yield `  - skipped: ${result.name}${why}${place}\n`
    } else {
      summary.passed += 1
    }
  }
  const target = process.env['MILLSEAL_TEST_SUMMARY']
  if (target !== undefined) await writeFile(target, JSON.stringify(summary))
}

const story = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause)
}

const indent = (text: string): string => `${text.trimEnd().replaceAll(/^/gm, '      ')}\n`
