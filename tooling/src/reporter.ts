import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** The results of one test file; sent to the parent process. */
export type FileReport = {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
  /** Names of the tests that failed. */
  readonly failures: readonly string[]
}

type Result = {
  readonly name: string
  readonly nesting: number
  readonly file?: string
  readonly skip?: string | boolean
  readonly details: {
    readonly type?: string
    readonly error?: Error & { readonly failureType?: string }
  }
}

/** Prints a line for each skipped test and the full error of each failed one; nothing for tests that pass. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let [passed, failed] = [0, 0]
  let skipped: string[] = []
  let failures: string[] = []
  const names: string[] = []
  for await (const event of events) {
    if (event.type === 'test:start') names.splice(event.data.nesting, names.length, event.data.name)
    // Errors thrown after the end of the test that caused them.
    if (event.type === 'test:diagnostic' && event.data.message.startsWith('Error: ')) {
      failed += 1
      failures.push(event.data.message)
      yield `  ✗ ${event.data.message}\n`
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const result = event.data as Result
    const isFile = result.nesting === 0
    const place = result.file === undefined ? '' : ` (${relative(process.cwd(), result.file)})`
    if (event.type === 'test:fail') {
      // A file or a suite whose tests fail; they are reported themselves.
      if (result.details.error?.failureType !== 'subtestsFailed') {
        failed += 1
        // A test of a suite that several files use has the place of the suite, so the file is named first.
        const path = [...names.slice(0, result.nesting), result.name].join(' › ')
        failures.push(path)
        yield `  ✗ ${path}${isFile ? '' : place}\n${indent(causeOf(result.details.error))}`
      }
    } else if (isSkipped(result)) {
      const reason = typeof result.skip === 'string' ? `: ${result.skip}` : ''
      skipped.push(`${result.name}${reason}`)
      yield `  - skipped: ${result.name}${reason}${place}\n`
    } else if (!isFile && result.details.type !== 'suite') {
      passed += 1
    }
    if (!isFile) continue
    process.send?.({ file: result.name, passed, failed, skipped, failures } satisfies FileReport)
    ;[passed, failed, skipped, failures] = [0, 0, [], []]
  }
}

const isSkipped = ({ skip }: Result): boolean => skip !== undefined && skip !== false

/** node:test wraps what a test throws. */
const causeOf = (error: unknown): string =>
  textOf(error instanceof Error && error.cause !== undefined ? error.cause : error)

const textOf = (error: unknown): string => {
  if (!(error instanceof Error)) return inspect(error)
  const text = error.stack ?? error.message
  return error.cause === undefined ? text : `${text}\nbecause of ${textOf(error.cause)}`
}

const indent = (text: string): string => `${text.trimEnd().replaceAll(/^/gm, '      ')}\n`
