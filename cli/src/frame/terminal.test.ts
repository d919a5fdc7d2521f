import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTerminal } from './terminal.ts'

/** What a stranger may have in a name: an escape of the terminal, a text that goes backwards, letters of no width. */
const hostile = 'Mill\u001b[2J\u202e\u200b\u00ad\u2066\u{e0041}\u0085 AG'

const opened = ({ isTTY }: { readonly isTTY: boolean }) => {
  const written = { out: '', err: '' }
  const stream = (name: 'out' | 'err') => ({ isTTY, write: (text: string) => (written[name] += text) })
  return { written, terminal: createTerminal({ out: stream('out'), err: stream('err'), environment: {} }) }
}

test('prints no character that cannot be seen, but ends of lines and its own colours', () => {
  const { written, terminal } = opened({ isTTY: true })
  terminal.print(`${terminal.good('✓')} ${hostile}\n`)
  terminal.note(hostile)
  assert.equal(written.out, '\u001b[32m✓\u001b[0m Mill[2J AG\n')
  assert.equal(written.err, 'Mill[2J AG\n')
})

test('prints JSON with escapes in their place, which stays the same JSON', () => {
  const { written, terminal } = opened({ isTTY: false })
  terminal.printJson({ name: hostile })
  assert.match(written.out, /^[\u0020-\u007e]+\n$/)
  assert.deepEqual(JSON.parse(written.out), { name: hostile })
})

test('prints a file as it is', () => {
  const { written, terminal } = opened({ isTTY: false })
  terminal.printFile(hostile)
  assert.equal(written.out, hostile)
})
