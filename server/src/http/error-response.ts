import { type ErrorCode, errors } from '@millseal/contract'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../lib/problem.ts'
import { DatabaseUnavailable } from '../ports/database/database.ts'
import { FilesUnavailable } from '../ports/files/files.ts'
import { DecryptionFailed } from '../ports/keystore/keystore.ts'
import { isDisconnect } from './disconnect-signal.ts'
import { schemaReasons } from './schema-reasons.ts'
import { LedgerStopped, LedgerUnavailable } from '../ports/ledger/ledger.ts'
import { VaultUnavailable } from '../ports/vault/vault.ts'

export type ErrorBody = {
  readonly statusCode: number
  readonly path: string
  readonly method: string
  readonly timestamp: string
  readonly message: string
  readonly name: string
  readonly details: readonly string[]
  /** For each of the details its code and values. */
  readonly reasons?: readonly Reason[]
}

/** The seven fields of every error, and the reasons of its details. `path` is as requested, without the query, which may contain a token. */
export const errorBody = (
  problem: Problem,
  request: { method: string; url: string; nowMs: number },
): ErrorBody => {
  const { status, name, message } = errors[problem.code]
  return {
    statusCode: status,
    path: request.url.split('?', 1)[0] ?? '',
    method: request.method,
    timestamp: new Date(request.nowMs).toISOString(),
    message:
      problem.details.length === 0 ? message : `${message}: ${problem.details.join(', ').slice(0, 500)}`,
    name,
    details: problem.details,
    reasons: problem.reasons.length > 0 ? problem.reasons : undefined,
  }
}

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_REQ_FILE_TOO_LARGE: 'body_too_large',
  FST_FILES_LIMIT: 'body_too_large',
  FST_FIELDS_LIMIT: 'body_too_large',
  FST_PARTS_LIMIT: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'media_type_unsupported',
  FST_PROTO_VIOLATION: 'malformed_multipart',
  FST_ERR_BAD_URL: 'malformed_url',
  FST_ERR_MAX_PARAM_LENGTH: 'url_too_long',
}

/** A dependency is down. The client is not told which one; the log is. */
const unavailable = [DatabaseUnavailable, FilesUnavailable, LedgerUnavailable, VaultUnavailable]

/** The only mapping from errors to answers. An unexpected error becomes a 500 without details. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  if (error instanceof LedgerStopped)
    return new Problem('unavailable', {
      cause: error,
      reasons: [because('ledger_stopped', { why: error.message })],
      retryAfterSeconds: 60,
    })
  if (unavailable.some((kind) => error instanceof kind))
    return new Problem('unavailable', { cause: error, retryAfterSeconds: 5 })
  // Only the operator can fix this: a key is missing or a row was altered. The log names it.
  if (error instanceof DecryptionFailed)
    return new Problem('unavailable', { cause: error, retryAfterSeconds: 60 })
  if (!(error instanceof Error)) return new Problem('internal', { cause: error })
  if ('validation' in error && Array.isArray(error.validation)) {
    const part = 'validationContext' in error ? String(error.validationContext) : 'body'
    return new Problem('validation_failed', { reasons: schemaReasons(error.validation, part) })
  }
  const code = 'code' in error && typeof error.code === 'string' ? frameworkCodes[error.code] : undefined
  return new Problem(code ?? 'internal', { cause: error })
}

/**
 * Node discards the rest of a body that is no longer than this, more than proxies let through (docs/deploy.md). One that
 * still sends it would miss the answer.
 */
const discardedBytes = 16 * 1024 * 1024

/** Closes the connection if the rest of the body is never read. Fastify closes it after every body that is too large. */
export const closeIfUnread = ({ headers }: FastifyRequest, reply: FastifyReply, { code }: Problem): void => {
  const isTooLarge = code === 'body_too_large'
  if (isTooLarge && Number(headers['content-length']) <= discardedBytes) reply.removeHeader('connection')
  else if (isTooLarge || code === 'request_timeout') reply.header('connection', 'close')
}

/** Logs what the client is not told. */
export const logProblem = (
  log: FastifyBaseLogger,
  problem: Problem,
  { id: requestId, socket }: FastifyRequest,
): void => {
  const fields = { err: problem.cause ?? problem, requestId }
  if (problem.code === 'unavailable') log.warn(fields, 'dependency unavailable')
  if (problem.code !== 'internal') return
  if (isDisconnect(problem.cause, socket)) log.debug({ requestId }, 'the client disconnected')
  else log.error(fields, 'unexpected error')
}
