/** The door of the server: what the command line starts, and does, with it. */
export { type Installation, installation, verifyLogFolder } from './compose/installation.ts'
export { serve } from './serve.ts'
