#!/usr/bin/env -S node --disable-proto=delete --max-semi-space-size=8 --disable-warning=ExperimentalWarning
import { enableCompileCache } from 'node:module'

// Only effective for what is imported after it.
enableCompileCache()
const { millseal } = await import('./index.ts')
process.exitCode = await millseal(process.argv.slice(2), process.env)
