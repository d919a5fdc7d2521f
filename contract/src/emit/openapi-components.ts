import { limits } from '../limits.ts'
import { listQuery } from '../shapes/common.ts'
import { modes } from '../vocabulary.ts'
import type { JsonMap } from './schemas.ts'

export const securitySchemes: JsonMap = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of a person or an application. The scopes listed are asked of applications.',
  },
  refresh: {
    type: 'apiKey',
    in: 'header',
    name: 'refresh',
    description: 'The refresh token of a session, as `Bearer <token>`.',
  },
  token: { type: 'apiKey', in: 'query', name: 'token', description: 'The one-time token of a mailed link.' },
}

const listParameter = (name: keyof typeof listQuery) => {
  const { description, ...schema }: JsonMap = { ...listQuery[name] }
  return { name, in: 'query', description, schema }
}

export const parameters: JsonMap = {
  Company: {
    name: 'company',
    in: 'header',
    description: 'The company acted for. Applications may leave it out: their token names it.',
    schema: { type: 'string', format: 'uuid' },
  },
  Mode: {
    name: 'mode',
    in: 'query',
    required: true,
    description: 'An application has to name its own.',
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
    description: 'Makes a repeated call take effect once and answer alike, for a day.',
    schema: {
      type: 'string',
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
  RateLimitLimit: integer('Calls allowed in the time span'),
  RateLimitRemaining: integer('Calls left before the reset'),
  RateLimitReset: integer('Seconds until the reset'),
  RetryAfter: integer('Seconds to wait before calling again'),
  RequestId: text('Names this call in the logs of the service'),
  Link: text('The next page, as rel="next"'),
  Location: text('Where the browser goes on'),
}
