import type { TSchema } from 'typebox'
import { honoursIdempotencyKey, impliedErrors } from '../deduce.ts'
import { type ErrorCode, errors } from '../errors.ts'
import type { Answer, Operation } from '../operation.ts'
import { operations } from '../operations/index.ts'
import type { JsonMap, SchemaComponents } from './schemas.ts'

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
const rateHeaders = {
  'X-RateLimit-Limit': header('RateLimitLimit'),
  'X-RateLimit-Remaining': header('RateLimitRemaining'),
  'X-RateLimit-Reset': header('RateLimitReset'),
}
const requestId = { 'x-request-id': header('RequestId') }

/** Sets of errors that many operations share, written once. */
const shared: Readonly<Record<string, readonly ErrorCode[]>> = {
  Unauthenticated: ['unauthenticated', 'token_invalid', 'token_expired'],
  VersionUnknown: ['version_unknown'],
  NotFound: ['not_found', 'version_unknown'],
  BodyTooLarge: ['body_too_large'],
  MediaTypeUnsupported: ['media_type_unsupported'],
  IdempotencyMismatch: ['idempotency_mismatch'],
  RateLimited: ['rate_limited'],
  Internal: ['internal'],
  Unavailable: ['unavailable'],
}

const sharedNames = new Map(Object.entries(shared).map(([name, codes]) => [codes.join(), name]))

const errorResponse = (codes: readonly ErrorCode[]): JsonMap => {
  const entries = codes.map((code) => errors[code])
  const sentences = entries.map(({ message }) => message)
  const name = entries[0]?.name ?? ''
  const status = entries[0]?.status
  return {
    description:
      sentences.length === 1 ? `${name}: ${sentences[0]}` : `${name}\n\n- ${sentences.join('\n- ')}`,
    headers: headersOf(status),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponseDto' } } },
  }
}

const headersOf = (status: number | undefined): JsonMap | undefined => {
  const retryAfter = { 'Retry-After': header('RetryAfter') }
  if (status === 429) return { ...rateHeaders, ...retryAfter }
  return status === 503 ? retryAfter : undefined
}

export const sharedResponses = (): JsonMap =>
  Object.fromEntries(Object.entries(shared).map(([name, codes]) => [name, errorResponse(codes)]))

const errorResponses = (operation: Operation): [string, JsonMap][] => {
  const byStatus = Map.groupBy(impliedErrors(operation), (code) => errors[code].status)
  return [...byStatus].map(([status, codes]) => {
    const name = sharedNames.get(codes.join())
    return [String(status), name ? { $ref: `#/components/responses/${name}` } : errorResponse(codes)]
  })
}

/** Answers that a replay of an Idempotency-Key repeats without their secrets. */
const replayed: ReadonlySet<TSchema> = new Set(
  Object.values<Operation>(operations).flatMap((operation) =>
    operation.answer.kind === 'json' && operation.secrets !== undefined && honoursIdempotencyKey(operation)
      ? [operation.answer.schema]
      : [],
  ),
)

/** A client cannot rely on a secret, because a replay does not have it. */
const schemaOf = (
  schema: TSchema & { readonly required?: readonly string[] },
  secrets: readonly string[],
): JsonMap => ({
  ...schema,
  ...(replayed.has(schema) ? { required: schema.required?.filter((name) => !secrets.includes(name)) } : {}),
})

const contentOf = (operation: Operation, components: SchemaComponents): JsonMap => {
  const { answer } = operation
  if (answer.kind === 'json')
    return {
      content: {
        'application/json': { schema: components.write(schemaOf(answer.schema, operation.secrets ?? [])) },
      },
    }
  if (answer.kind === 'redirect') return {}
  return {
    content: Object.fromEntries(answer.types.map((type) => [type, { schema: schemaOfContent(type) }])),
  }
}

const schemaOfContent = (type: string) => {
  if (type === 'application/json') return { type: 'object' }
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }
}

const successDescription = ({ kind, status }: Answer) => {
  if (kind === 'redirect') return 'Redirected'
  return status === 201 ? 'Created' : 'Done'
}

export const writeResponses = (operation: Operation, components: SchemaComponents): JsonMap => {
  const { answer, list, limit } = operation
  const success = {
    description: successDescription(answer),
    headers: {
      ...(limit?.perMinute === 'unlimited' ? {} : rateHeaders),
      ...requestId,
      Link: list ? header('Link') : undefined,
      Location: answer.kind === 'redirect' ? header('Location') : undefined,
    },
    ...contentOf(operation, components),
  }
  return Object.fromEntries([[String(answer.status), success], ...errorResponses(operation)])
}
