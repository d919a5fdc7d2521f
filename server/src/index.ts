/** The entry point for the command line. */
export { type Installation, installation, verifyArchives, verifyLogFolder } from './compose/installation.ts'
export { offlineVerifyPage } from './http/verify-page/verify-files.ts'
export { serve } from './serve.ts'
