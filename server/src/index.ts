/** The entry point for the command line. */
export { type Installation, installation, verifyArchives, verifyLogCopy } from './compose/installation.ts'
export { offlineVerifyPage } from './http/verify-page/verify-files.ts'
export { serve } from './serve.ts'
export { FilesUnavailable, type ReadableFiles } from './ports/files/files.ts'
