#!/usr/bin/env -S node --disable-proto=delete --max-semi-space-size=8 --disable-warning=ExperimentalWarning
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Before any other import: stripping types and compiling takes most of the time of a short command.
enableCompileCache(join(import.meta.dirname, '../../.runtime/compile-cache'))
const { millseal } = await import('./index.ts')
process.exitCode = await millseal(process.argv.slice(2), process.env)
