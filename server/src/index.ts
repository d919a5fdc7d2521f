/** The door of the server: what the command line starts, and does, with it. */
export { keys } from './keys.ts'
export { operator } from './operator.ts'
export { serve } from './serve.ts'
