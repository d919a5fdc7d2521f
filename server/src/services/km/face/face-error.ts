import { STATUS_CODES } from 'node:http'
import { errors } from '@millseal/contract'
import { JsonError } from '@millseal/proof'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../lib/problem.ts'
import { LedgerUnavailable, TransactionRefused } from '../../../ports/ledger/ledger.ts'

/** An answer in the words of BigchainDB, whose clients read `message` and the reason phrase. */
export class FaceError extends Error {
  override readonly name = 'FaceError'
  readonly status: number
  /** Keys in the order of the alphabet, as Flask writes them. */
  readonly body: { readonly message: unknown; readonly status?: number }

  constructor(status: number, message: string | Readonly<Record<string, string>>, { bare = false } = {}) {
    super(typeof message === 'string' ? message : Object.values(message).join())
    this.status = status
    this.body = bare ? { message } : { message, status }
  }
}

export const notFound = (): FaceError => new FaceError(404, 'Not found')

const toFaceError = (error: Error | FastifyError): FaceError => {
  if (error instanceof FaceError) return error
  if (error instanceof TransactionRefused) return new FaceError(400, error.message)
  if (error instanceof JsonError) return new FaceError(400, `Failed to decode JSON object: ${error.message}`)
  if (error instanceof LedgerUnavailable) return new FaceError(503, 'The ledger cannot be reached right now')
  if (error instanceof Problem) {
    const { status } = errors[error.code]
    return status < 500
      ? new FaceError(status, error.message)
      : new FaceError(status, 'Internal Server Error')
  }
  const status = 'statusCode' in error ? error.statusCode : undefined
  return status !== undefined && status >= 400 && status < 500
    ? new FaceError(status, error.message)
    : new FaceError(500, 'Internal Server Error')
}

export const sendFaceError = async (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { status, body } = toFaceError(error)
  if (status >= 500) request.log.error({ err: error, requestId: request.id }, 'the ledger could not answer')
  if (error instanceof Problem && error.retryAfterSeconds !== undefined)
    reply.header('retry-after', error.retryAfterSeconds)
  if (status === 503) reply.header('retry-after', 1)
  return sendJson(reply.code(status), JSON.stringify(body))
}

/** Flask shouts the reason phrase, and ends a body with a line feed; clients show the one and compare the other. */
export const sendJson = (reply: FastifyReply, text: string): FastifyReply => {
  reply.raw.statusMessage = (STATUS_CODES[reply.statusCode] ?? '').toUpperCase()
  return reply
    .type('application/json')
    .serializer((body: unknown) => body as string)
    .send(`${text}\n`)
}
