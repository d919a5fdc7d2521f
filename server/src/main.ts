import { setFlagsFromString } from 'node:v8'
import { serve } from './serve.ts'

// After a crowd, V8 would let objects of requests begin in the old generation, where each keeps its body until old objects
// are collected (docs/benchmarks.md). A V8 that does not know the flag says so and goes on.
setFlagsFromString('--no-allocation-site-pretenuring')

process.exitCode = await serve(process.argv.slice(2), process.env)
