import type { AnswerOf, BodyOf, Mode, Operation, ParamsOf, QueryOf } from '@millseal/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Secret } from '../lib/secret.ts'
import type { Transaction } from '../ports/database/database.ts'
import type { Principal, UserPrincipal } from './principal.ts'

/** What a handler is given: everything already parsed, validated, authenticated and authorized. */
export type Call<O extends Operation> = {
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly principal: PrincipalOf<O>
  /** The company the call is about, which the caller was found to belong to. */
  readonly companyId: CompanyOf<O>
  readonly mode: ModeOf<O>
  /** For operations whose mode is that of the record: throws when the caller may not act in it. */
  readonly assertRecordMode: (mode: Mode) => void
  /** Whether `assertRecordMode` accepts this mode. */
  readonly mayActIn: (mode: Mode) => boolean
  /** The token the caller was known by; a browser with a session of the console has none. */
  readonly accessToken: Secret | undefined
  /** The headers that the operation declares, as they were sent. */
  readonly sentHeaders: Readonly<Record<string, string | undefined>>
  /** The header of a `public` operation as it was sent: unproven, and often stale. */
  readonly authorization: O['access'] extends 'public' ? Secret | undefined : undefined
  /** The refresh token of a `refresh` operation. */
  readonly refreshToken: O['access'] extends 'refresh' ? Secret : undefined
  readonly client: { readonly ip: string; readonly device: string }
  readonly requestId: string
  /** Which of its addresses was called, as the contract writes it. */
  readonly calledAs: string
  readonly log: FastifyBaseLogger
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly header: (name: string, value: string | string[]) => void
  /**
   * The transaction of this request. With an Idempotency-Key the answer is remembered in that same transaction, so a
   * repeated request has the effect once and gets the same answer. A handler that writes does it here, once.
   */
  readonly commit: (work: (tx: Transaction) => Promise<ReplyOf<O>>) => Promise<ReplyOf<O>>
}

type PrincipalOf<O extends Operation> = O['access'] extends 'user'
  ? UserPrincipal
  : O['access'] extends 'bearer'
    ? Principal
    : undefined

type CompanyOf<O extends Operation> = O extends { company: 'required' } | { memberRole: string }
  ? string
  : string | undefined
type ModeOf<O extends Operation> = O extends { mode: 'query' | 'body' } ? Mode : undefined

export type Content = { readonly type: string; readonly bytes: Uint8Array | string }

export type ReplyOf<O extends Operation> = O['answer'] extends { kind: 'redirect' }
  ? { readonly location: string }
  : O['answer'] extends { kind: 'content' }
    ? Content
    : AnswerOf<O>

/** An operation and the code that carries it out, its types folded away. */
export type Binding = {
  readonly operation: Operation
  readonly handle: (call: AnyCall) => Promise<unknown>
}

export type AnyCall = {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly principal: Principal | undefined
  readonly companyId: string | undefined
  readonly mode: Mode | undefined
  readonly assertRecordMode: (mode: Mode) => void
  readonly mayActIn: (mode: Mode) => boolean
  readonly accessToken: Secret | undefined
  readonly sentHeaders: Readonly<Record<string, string | undefined>>
  readonly authorization: Secret | undefined
  readonly refreshToken: Secret | undefined
  readonly client: { readonly ip: string; readonly device: string }
  readonly requestId: string
  readonly calledAs: string
  readonly log: FastifyBaseLogger
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly header: (name: string, value: string | string[]) => void
  readonly commit: (work: (tx: Transaction) => Promise<unknown>) => Promise<unknown>
}

/** Joins a contract operation with its handler. The cast is sound: the server validates a call against `operation`. */
export const bind = <const O extends Operation>(
  operation: O,
  handle: (call: Call<NoInfer<O>>) => Promise<ReplyOf<NoInfer<O>>>,
): Binding => ({ operation, handle: handle as unknown as Binding['handle'] })

/** `bind` for handlers that take the dependencies of their service first: `(deps, call) => answer`. */
export const bindTo =
  <D>(deps: D) =>
  <const O extends Operation>(
    operation: O,
    handle: (deps: D, call: Call<NoInfer<O>>) => Promise<ReplyOf<NoInfer<O>>>,
  ): Binding =>
    bind(operation, (call) => handle(deps, call as Call<O>) as Promise<ReplyOf<NoInfer<O>>>)
