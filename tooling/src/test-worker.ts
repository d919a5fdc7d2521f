import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { test } from 'node:test'

/**
 * Runs the test files that the parent process names, one after another. Each file is a test of its own, so its hooks
 * run before the next file starts; its modules stay loaded, which saves most of what a file costs.
 */
export type Order = { readonly file: string }

process.on('message', ({ file }: Order) => {
  void test(file, (t) => {
    // Until this process stores what it compiled, every process that a test starts compiles it again.
    t.after(() => flushCompileCache())
    return import(resolve(file))
  })
})
process.send?.('ready')
await once(process, 'disconnect')
