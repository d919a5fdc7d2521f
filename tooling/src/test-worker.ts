import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { isInProcess } from './rings.ts'

/**
 * Runs the test files that the parent process names, one after another. Each file is a test of its own, so its hooks
 * run before the next file starts; its modules stay loaded, which saves most of what a file costs.
 */
export type Order = { readonly file: string }

const runsOf = new Map<string, number>()

process.on('message', ({ file }: Order) => {
  const run = (runsOf.get(file) ?? 0) + 1
  runsOf.set(file, run)
  // Tests with processes and browsers stop the server, or start them beside it.
  process.env['MILLSEAL_TEST_SERVER'] = isInProcess(file) ? 'shared' : 'own'
  void test(file, (t) => {
    // Until this process stores what it compiled, every process that a test starts compiles it again.
    t.after(() => flushCompileCache())
    // A module with the same address would not run again.
    return import(`${resolve(file)}${run === 1 ? '' : `?run=${run}`}`)
  })
})
process.send?.('ready')
await once(process, 'disconnect')
