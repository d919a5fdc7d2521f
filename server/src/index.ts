/** The door of the server: what the command line and the tests start it with. */
export { compose, type House } from './compose.ts'
export { readConfig } from './config.ts'
export { serve } from './serve.ts'
