import { resolve } from 'node:path'
import { test } from 'node:test'

// Runs the named test files one after another in this process, so that they share imports and compiled code.
for (const file of process.argv.slice(2)) await test(file, () => import(resolve(file)))
