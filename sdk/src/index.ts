export { ApiError } from './api-error.ts'
export { type ClientOptions, createClient } from './client.ts'
export type { Client, ErrorResponse, OperationName } from './types.ts'
