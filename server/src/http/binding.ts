import type { AnswerOf, BodyOf, Mode, Operation, ParamsOf, QueryOf } from '@millseal/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Secret } from '../lib/secret.ts'
import type { Transaction } from '../ports/database/database.ts'
import type { Principal, UserPrincipal } from './principal.ts'

/** What a handler receives: everything is parsed, validated, authenticated and authorized. */
export type Call<O extends Operation> = CommonCall & OperationCall<O>

/** A call whose operation is not known to the type system. */
export type AnyCall = CommonCall & { readonly [Key in keyof OperationCall<Operation>]: unknown }

type CommonCall = {
  /** For operations whose mode is that of a record: throws if the caller may not act in this mode. */
  readonly assertRecordMode: (mode: Mode) => void
  /** Whether `assertRecordMode` accepts this mode. */
  readonly mayActIn: (mode: Mode) => boolean
  /** Undefined if a console session authenticated the caller. */
  readonly accessToken: Secret | undefined
  /** The headers the operation declares, as the client sent them. */
  readonly sentHeaders: Readonly<Record<string, string | undefined>>
  readonly client: { readonly ip: string; readonly device: string }
  readonly requestId: string
  /** Which of its paths was called, as the contract spells it. */
  readonly calledAs: string
  readonly log: FastifyBaseLogger
  /**
   * Aborts if the client disconnects. No getter: V8 gives an object literal that has one slow properties, and kept the body of each
   * request until it next collected old objects.
   */
  readonly signal: () => AbortSignal
  readonly header: (name: string, value: string | string[]) => void
}

type OperationCall<O extends Operation> = {
  readonly params: ParamsOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly principal: PrincipalOf<O>
  /** The company of the call; the caller belongs to it. */
  readonly companyId: CompanyOf<O>
  readonly mode: ModeOf<O>
  /** The `authorization` header of a `public` operation. It is not verified. */
  readonly authorization: O['access'] extends 'public' ? Secret | undefined : undefined
  /** The refresh token of a `refresh` operation. */
  readonly refreshToken: O['access'] extends 'refresh' ? Secret : undefined
  /**
   * Runs the transaction of this request. With an Idempotency-Key the same transaction stores the answer, so a repeated
   * request takes effect once and gets the same answer. A handler that writes calls this exactly once.
   */
  readonly commit: (work: (tx: Transaction) => Promise<ReplyOf<O>>) => Promise<ReplyOf<O>>
  /** Without an Idempotency-Key a handler may write in a transaction of its own in place of `commit`. */
  readonly hasKey: boolean
}

type PrincipalOf<O extends Operation> = O['access'] extends 'user'
  ? UserPrincipal
  : O['access'] extends 'bearer'
    ? Principal
    : undefined

type CompanyOf<O extends Operation> = O extends { orOperator: true }
  ? string | undefined
  : O extends { company: 'required' } | { companyInPath: true }
    ? string
    : string | undefined
type ModeOf<O extends Operation> = O extends { mode: 'query' | 'body' } ? Mode : undefined

export type Content = {
  readonly type: string
  /** Parts are sent as they are made. */
  readonly bytes: Uint8Array | string | AsyncIterable<string>
}

export type ReplyOf<O extends Operation> = O['answer'] extends { kind: 'redirect' }
  ? { readonly location: string }
  : O['answer'] extends { kind: 'content' }
    ? Content
    : AnswerOf<O>

/** An operation and its handler. */
export type Binding = {
  readonly operation: Operation
  readonly handle: (call: AnyCall) => Promise<unknown>
}

/** Joins an operation with its handler. The cast is sound: the server validates each call against `operation`. */
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
    bind(operation, (call) => handle(deps, call))
