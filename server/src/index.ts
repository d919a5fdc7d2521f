/** The door of the server: what the command line starts it with. */
export { serve } from './serve.ts'
