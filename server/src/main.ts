import { serve } from './serve.ts'

process.exitCode = await serve(process.argv.slice(2), process.env)
