import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { ScopeAction, ScopeResource } from './scopes.ts'
import type { MemberRole, Method, Service } from './vocabulary.ts'

/**
 * Who may call at all:
 * - `public`: anybody; a stale token does no harm
 * - `user`: a signed-in person
 * - `bearer`: any access token (a person's, an application's, a long-lived one)
 * - `refresh`: the refresh token of a session, in the `refresh` header
 * - `link`: whoever holds the one-time token of a mailed link, in the query
 */
export type Access = 'public' | 'user' | 'bearer' | 'refresh' | 'link'

/** What an operation does, in the words of scopes and events. */
export type Action = { readonly resource: ScopeResource; readonly action: ScopeAction }

/** Any one of the pairs is enough. */
export type Scope = readonly Action[]

export type Body =
  | { readonly kind: 'json'; readonly schema: TSchema; readonly optional?: true }
  /** application/x-www-form-urlencoded, the way OAuth 2.0 asks for tokens */
  | { readonly kind: 'form'; readonly schema: TObject }
  /** A document taken as bytes: as the body itself, or as the first file of a multipart body with text fields beside it. */
  | {
      readonly kind: 'document'
      readonly accepts: readonly DocumentType[]
      readonly fields?: TObject
      /** What a JSON document is, for readers of the API; the server itself only keeps its bytes. */
      readonly schema?: TSchema
    }

export type DocumentType = 'application/json' | 'application/pdf' | 'text/csv'

export type Answer =
  | { readonly kind: 'json'; readonly status: 200 | 201; readonly schema: TSchema }
  | { readonly kind: 'redirect'; readonly status: 302 }
  | { readonly kind: 'content'; readonly status: 200; readonly types: readonly string[] }

export type Operation = {
  /** `<resource>.<what>`; unique, and the operationId of the documents */
  readonly id: `${string}.${string}`
  /** `every-service`: whichever service is asked answers for itself */
  readonly service: Service | 'every-service'
  /** `earlier` operations belong to the 2021 variant that older clients still speak. */
  readonly variant: 'current' | 'earlier' | 'both'
  readonly method: Method
  /** Other methods of the same path; served the same, documented once. */
  readonly alsoMethods?: readonly Method[]
  /** Without `/api`; every address shape is derived from it. */
  readonly path: `/${string}`
  /** Other names of the same path; served the same, documented once. */
  readonly aliases?: readonly `/${string}`[]
  readonly summary: string
  readonly description?: string
  readonly access: Access
  /** Asked of applications and long-lived tokens; a person's rights follow from roles. */
  readonly scope?: Scope
  /** Names what the operation does where calling it takes no scope. */
  readonly action?: Action
  /** Only operators of the platform (role ADMIN). */
  readonly admin?: true
  /** Whether a person's call names its company in the `company` header; applications carry theirs in the token. */
  readonly company?: 'required' | 'optional'
  /** The `id` in the path is that of the company the call is about. */
  readonly companyInPath?: true
  /** The least role a member of the company needs: see `memberRoleOf`. */
  readonly memberRole?: MemberRole
  /** Where the call takes its mode from; `record`: from the record it addresses, once that is loaded. */
  readonly mode?: 'query' | 'body' | 'record'
  /** Refused in live mode until the company is verified and the person has MFA. */
  readonly liveGate?: true
  readonly params?: TObject
  readonly query?: TObject
  /** Headers it takes beyond those all operations share, in small letters; never required. */
  readonly headers?: TObject
  readonly body?: Body
  readonly answer: Answer
  /** A bare array, newest first, with `limit`, `after` and a `Link` header. */
  readonly list?: true
  /** What this operation can answer beyond what follows from the fields above. */
  readonly errors?: readonly ErrorCode[]
  readonly limit?: { readonly perMinute: number | 'unlimited' }
  /** Properties of the answer shown once; they are never stored for an idempotent replay. */
  readonly secrets?: readonly string[]
  /** `repeatable`: a POST that may simply run again, so an Idempotency-Key has nothing to protect. */
  readonly idempotency?: 'repeatable'
  /** Callable from any web origin. */
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
/** What may stand beside a document in a form. */
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

/** What a `document` body arrives as. The bytes are exactly those received: hashes are made of them. */
export type Document = {
  readonly bytes: Uint8Array
  readonly type: DocumentType
  readonly filename?: string
  readonly fields: Readonly<Record<string, string>>
}
