import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { ScopeAction, ScopeResource } from './scopes.ts'
import type { MemberRole, Method, Service } from './vocabulary.ts'

/**
 * Who can call the operation:
 * - `public`: anyone; an invalid token is ignored
 * - `user`: a signed-in user
 * - `bearer`: any access token: of a user, of an application, or long-lived
 * - `refresh`: the refresh token of a session, in the `refresh` header
 * - `link`: the one-time token of an e-mailed link, in the query
 */
export type Access = 'public' | 'user' | 'bearer' | 'refresh' | 'link'

/** The name of what an operation does, as in scopes and events. */
export type Action = { readonly resource: ScopeResource; readonly action: ScopeAction }

/** One of these actions is enough. */
export type Scope = readonly Action[]

export type Body =
  | { readonly kind: 'json'; readonly schema: TSchema; readonly optional?: true }
  /** application/x-www-form-urlencoded, for OAuth 2.0 */
  | { readonly kind: 'form'; readonly schema: TObject }
  /** A document as bytes: the body itself, or the first file of a multipart body with text fields. */
  | {
      readonly kind: 'document'
      readonly accepts: readonly DocumentType[]
      readonly fields?: TObject
      /** The schema of a JSON document, for the API documents only; the server takes the bytes. */
      readonly schema?: TSchema
    }

export type DocumentType =
  | 'application/json'
  | 'application/pdf'
  | 'text/csv'
  | 'application/x-ndjson'
  | 'application/zip'
  | 'application/gzip'
  | 'image/png'
  | 'image/jpeg'

export type Answer =
  | { readonly kind: 'json'; readonly status: 200 | 201; readonly schema: TSchema }
  | { readonly kind: 'redirect'; readonly status: 302 }
  /** `streamed`: it is sent as it is made, and may take longer than another answer. */
  | {
      readonly kind: 'content'
      readonly status: 200
      readonly types: readonly string[]
      readonly streamed?: true
    }

export type Operation = {
  /** `<resource>.<verb>`: the unique operationId of the API documents */
  readonly id: `${string}.${string}`
  /** `every-service`: every service answers for itself */
  readonly service: Service | 'every-service'
  /** `earlier` operations belong to the 2021 variant of the API, for older clients. */
  readonly variant: 'current' | 'earlier' | 'both'
  readonly method: Method
  /** Other methods with the same effect, which the API documents only mention. */
  readonly alsoMethods?: readonly Method[]
  /** Without `/api`; all other addresses follow from it. */
  readonly path: `/${string}`
  /** Other paths with the same effect, which the API documents only mention. */
  readonly aliases?: readonly `/${string}`[]
  readonly summary: string
  readonly description?: string
  readonly access: Access
  /** Required from applications and long-lived tokens. The rights of users follow from their roles. */
  readonly scope?: Scope
  /** Names the action of an operation that needs no scope. */
  readonly action?: Action
  /** Only for operators of the service (role ADMIN). */
  readonly admin?: true
  /** Operators of the service can call it too, without a company. */
  readonly orOperator?: true
  /** Whether a user names a company in the `company` header. The token of an application contains it. */
  readonly company?: 'required' | 'optional'
  /** The `id` in the path is that of the company of the call. */
  readonly companyInPath?: true
  /** The minimum role of a member: see `memberRoleOf`. */
  readonly memberRole?: MemberRole
  /** Where the mode comes from; `record` is the record in the path, after it was loaded. */
  readonly mode?: 'query' | 'body' | 'record'
  /** Rejected in live mode until the company is verified and the user signed in with two factors. */
  readonly liveGate?: true
  /** Rejected if the person signed in with one factor, unless the operator of the service allows that. */
  readonly twoFactors?: true
  readonly params?: TObject
  readonly query?: TObject
  /** Additional headers in lower case; never required. */
  readonly headers?: TObject
  readonly body?: Body
  readonly answer: Answer
  /** A bare array, newest first, with `limit`, `after` and a `Link` header. */
  readonly list?: true
  /** Errors that do not follow from the fields above. */
  readonly errors?: readonly ErrorCode[]
  readonly limit?: { readonly perMinute: number | 'unlimited' }
  /** Properties of the answer that are shown only once and never stored for an idempotent replay. */
  readonly secrets?: readonly string[]
  /** `repeatable`: a POST that can safely run again and needs no Idempotency-Key. */
  readonly idempotency?: 'repeatable'
  /** Allows calls from every web origin. */
  readonly cors?: 'any'
}

export const operation = <const O extends Operation>(declared: O): O => declared

export type ParamsOf<O extends Operation> = O extends { params: infer S extends TSchema } ? Static<S> : object
export type QueryOf<O extends Operation> = (O extends { query: infer S extends TSchema }
  ? Static<S>
  : object) &
  (O extends { mode: 'query' } ? { mode: 'test' | 'live' } : object) &
  (O extends { list: true } ? { limit?: number; after?: string } : object)
export type BodyOf<O extends Operation> = O extends { body: { kind: 'document' } }
  ? Document
  : O extends { body: { kind: 'json'; optional: true; schema: infer S extends TSchema } }
    ? Static<S> | undefined
    : O extends { body: { schema: infer S extends TSchema } }
      ? Static<S>
      : undefined
/** The form fields next to a document. */
export type FieldsOf<O extends Operation> = O extends {
  body: { kind: 'document'; fields: infer S extends TSchema }
}
  ? Static<S>
  : object
export type AnswerOf<O extends Operation> = O extends {
  answer: { kind: 'json'; schema: infer S extends TSchema }
}
  ? Static<S>
  : never

/** A received `document` body. The bytes are unchanged, because they are hashed. */
export type Document = {
  readonly bytes: Uint8Array
  readonly type: DocumentType
  readonly filename?: string
  readonly fields: Readonly<Record<string, string>>
}
