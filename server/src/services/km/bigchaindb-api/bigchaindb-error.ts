import { STATUS_CODES } from 'node:http'
import { errors } from '@millseal/contract'
import { JsonError } from '@millseal/proof'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../lib/problem.ts'
import { LedgerStopped, LedgerUnavailable, TransactionRefused } from '../../../ports/ledger/ledger.ts'

/** An error as BigchainDB answers it: its clients read `message` and the reason phrase. */
export class BigchaindbError extends Error {
  override readonly name = 'BigchaindbError'
  readonly status: number
  /** Keys in alphabetical order, as Flask writes them. */
  readonly body: { readonly message: unknown; readonly status?: number }

  constructor(status: number, message: string | Readonly<Record<string, string>>, { bare = false } = {}) {
    super(typeof message === 'string' ? message : Object.values(message).join())
    this.status = status
    this.body = bare ? { message } : { message, status }
  }
}

export const notFound = (): BigchaindbError => new BigchaindbError(404, 'Not found')

const toBigchaindbError = (error: Error | FastifyError): BigchaindbError => {
  if (error instanceof BigchaindbError) return error
  if (error instanceof TransactionRefused) return new BigchaindbError(400, error.message)
  if (error instanceof JsonError)
    return new BigchaindbError(400, `Failed to decode JSON object: ${error.message}`)
  if (error instanceof LedgerStopped) return new BigchaindbError(503, error.message)
  if (error instanceof LedgerUnavailable)
    return new BigchaindbError(503, 'The ledger cannot be reached right now')
  if (error instanceof Problem) {
    const { status } = errors[error.code]
    return status < 500
      ? new BigchaindbError(status, error.message)
      : new BigchaindbError(status, 'Internal Server Error')
  }
  const status = 'statusCode' in error ? error.statusCode : undefined
  return status !== undefined && status >= 400 && status < 500
    ? new BigchaindbError(status, error.message)
    : new BigchaindbError(500, 'Internal Server Error')
}

export const sendBigchaindbError = async (
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { status, body } = toBigchaindbError(error)
  if (status >= 500) request.log.error({ err: error, requestId: request.id }, 'the ledger did not answer')
  if (error instanceof Problem && error.retryAfterSeconds !== undefined)
    reply.header('retry-after', error.retryAfterSeconds)
  if (status === 503) reply.header('retry-after', 1)
  return sendJson(reply.code(status), JSON.stringify(body))
}

/** Clients show the reason phrase and compare the body. Flask writes one in capitals, the other with a line feed. */
export const sendJson = (reply: FastifyReply, text: string): FastifyReply => {
  reply.raw.statusMessage = (STATUS_CODES[reply.statusCode] ?? '').toUpperCase()
  return reply
    .type('application/json')
    .serializer((body: unknown) => body as string)
    .send(`${text}\n`)
}
