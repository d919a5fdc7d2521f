import { limits } from '../limits.ts'
import { listQuery } from '../shapes/common.ts'
import { modes } from '../vocabulary.ts'
import type { JsonMap } from './schemas.ts'

export const securitySchemes: JsonMap = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a user or an application. Applications need the listed scopes.',
  },
  refresh: {
    type: 'apiKey',
    in: 'header',
    name: 'refresh',
    description: 'The refresh token of a session, as `Bearer <token>`.',
  },
  token: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The one-time token of an e-mailed link.',
  },
}

const listParameter = (name: keyof typeof listQuery) => {
  const { description, ...schema }: JsonMap = { ...listQuery[name] }
  return { name, in: 'query', description, schema }
}

export const parameters: JsonMap = {
  Company: {
    name: 'company',
    in: 'header',
    description: 'The id of the company. Applications can omit it, because their token contains it.',
    // With the format uuid, clients send an object that their HTTP library takes for no header.
    schema: { type: 'string', pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' },
  },
  Mode: {
    name: 'mode',
    in: 'query',
    required: true,
    description: 'Applications must send their own mode.',
    schema: { type: 'string', enum: [...modes] },
  },
  Version: {
    name: 'x-version',
    in: 'header',
    description: 'The major version of the API.',
    schema: { type: 'string', default: '1' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'For a day, calls with the same key take effect only once and get the same answer, without secrets that are shown only once.',
    schema: {
      type: 'string',
      pattern: '^[!-~]+$',
      minLength: limits.idempotencyKey.minLength,
      maxLength: limits.idempotencyKey.maxLength,
    },
  },
  Limit: listParameter('limit'),
  After: listParameter('after'),
}

const integer = (description: string) => ({ description, schema: { type: 'integer' } })
const text = (description: string) => ({ description, schema: { type: 'string' } })

export const headers: JsonMap = {
  RateLimitLimit: integer('The maximum number of calls in the period'),
  RateLimitRemaining: integer('The remaining calls before the reset'),
  RateLimitReset: integer('Seconds until the reset'),
  RetryAfter: integer('Seconds to wait before calling again'),
  RequestId: text('The id of this call in the logs of the service'),
  Link: text('The address of the next page, as rel="next"'),
  Location: text('The address to continue at'),
}
