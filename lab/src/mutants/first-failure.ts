import type { TestEvent } from 'node:test/reporters'

/** Prints a dot for each test that passes, and ends the process at the first that fails. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    // The diagnostic is of an error thrown after the end of the test that caused it.
    const isLateError = type === 'test:diagnostic' && data.message.startsWith('Error: ')
    if (type === 'test:fail' || isLateError) process.exit(1)
    if (type === 'test:pass') yield '.'
  }
}
