import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { limits } from '../limits.ts'
import { coinTypes, modes } from '../vocabulary.ts'

/**
 * A request body. The server drops undeclared properties before a handler sees them, so that a newer
 * client still works and nothing undeclared is stored. Never part of an anyOf: a validator that drops properties
 * would drop those of the other branches.
 */
export const input = <const P extends TProperties>(title: string, properties: P, options: object = {}) =>
  Type.Object(properties, { title, additionalProperties: false, ...options })

/** A response body: the server sends exactly these properties. */
export const output = <const P extends TProperties>(title: string, properties: P, options: object = {}) =>
  Type.Object(properties, { title, ...options })

/** One of several strings, as a plain enum, which keeps documents and generated clients readable. */
export const oneOf = <const V extends readonly string[]>(values: V, options: object = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })

export const listOf = <S extends TSchema>(schema: S, maxItems: number = limits.page.max) =>
  Type.Array(schema, { maxItems })

export const idOf = (description: string) => Type.String({ format: 'uuid', description })
export const Id = idOf('UUIDv7')
export const Timestamp = Type.String({ format: 'date-time' })
export const EpochSeconds = Type.Integer({ minimum: 0, description: 'Seconds since 1970-01-01 UTC' })
export const Email = Type.String({ format: 'email', maxLength: limits.email.maxLength })
export const Url = Type.String({ format: 'uri', maxLength: limits.url.maxLength })
export const ModeValue = oneOf(modes)
export const CoinTypeValue = Type.Integer({ minimum: 0, maximum: limits.coinType.max })
export const KnownCoinType = Type.Unsafe<(typeof coinTypes)[number]>({
  type: 'integer',
  enum: [...coinTypes],
})
export const DerivationIndex = Type.Integer({ minimum: 0, maximum: limits.derivationIndex.max })

/** An object with any properties; all of them are stored. */
export const JsonObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** Query parameters of every list. */
export const listQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.page.max,
      default: limits.page.default,
      description: 'The maximum number of items',
    }),
  ),
  after: Type.Optional(
    idOf('The last id of the previous page; the `Link` header has the address of the next page'),
  ),
}

/** Fields of every stored record. */
export const stored = {
  id: Id,
  createdAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
}

/** The header with which browsers say what people read. */
export const acceptLanguage = Type.Object({ 'accept-language': Type.Optional(Type.String()) })

export const byId = Type.Object({ id: Id })

/** Older clients repeat the id in the body of an update. It must be the id of the path. */
export const repeatedId = { id: Type.Optional(Id) }

export const Deleted = output('DeletedDto', { id: Id })
export type Deleted = Static<typeof Deleted>

export const Message = output('MessageDto', { message: Type.String() })
export type Message = Static<typeof Message>

export const ReasonShape = output('ReasonDto', {
  code: Type.String({ description: 'docs/errors.md lists all codes' }),
  values: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description:
      'What the sentence names: texts, numbers, and reasons within it. `place` is the pointer or parameter that it is about, `label` the name of that place on paper, or the pointer in a text that is not JSON',
  }),
})
export type ReasonShape = Static<typeof ReasonShape>

/** Beside an error that is stored or answered as a text. */
export const Reasons = Type.Optional(
  Type.Array(ReasonShape, {
    description:
      'The codes and values of the sentences of the error, if they are known: older errors have none',
  }),
)

export const ErrorResponse = output('ErrorResponseDto', {
  statusCode: Type.Integer({ minimum: 400, maximum: 599 }),
  path: Type.String(),
  method: Type.String(),
  timestamp: Timestamp,
  message: Type.String(),
  name: Type.String(),
  details: Type.Array(Type.String()),
  reasons: Type.Optional(
    Type.Array(ReasonShape, {
      description: 'The code and the values of each of the details, in their order',
    }),
  ),
})
export type ErrorResponse = Static<typeof ErrorResponse>
