import type { AnswerOf, BodyOf, FieldsOf, Operation, operations, ParamsOf, QueryOf } from '@millseal/contract'

export type OperationName = keyof typeof operations
type Declared<N extends OperationName> = (typeof operations)[N]

export type ErrorResponse = {
  readonly statusCode: number
  readonly path: string
  readonly method: string
  readonly timestamp: string
  readonly message: string
  readonly name: string
  readonly details: readonly string[]
}

/** Present where the operation takes it, required where it must be given. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? object
  : undefined extends Value
    ? { readonly [K in Name]?: Exclude<Value, undefined> }
    : object extends Value
      ? { readonly [K in Name]?: Value }
      : { readonly [K in Name]: Value }

/** A Blob goes as it is, and needs its type; a File, or fields, make it a form. */
type Upload<O extends Operation> = { readonly document: Blob } & Part<'fields', FieldsOf<O>>

type CallTo<O extends Operation> = Part<'params', ParamsOf<O>> &
  Part<'query', QueryOf<O>> &
  (BodyOf<O> extends { bytes: Uint8Array } ? Upload<O> : Part<'body', BodyOf<O>>) & {
    readonly company?: string
    /** Makes a POST safe to send again: the effect happens once. */
    readonly idempotencyKey?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
  }

/** JSON answers are typed; a redirect gives where it leads, a document its bytes. */
type ResultOf<O extends Operation> = O['answer'] extends { kind: 'json' }
  ? AnswerOf<O>
  : O['answer'] extends { kind: 'redirect' }
    ? { readonly location: string }
    : Blob

/** One method for each operation of the contract; its argument may be left out where nothing must be given. */
export type Client = {
  readonly [N in OperationName]: object extends CallTo<Declared<N>>
    ? (call?: CallTo<Declared<N>>) => Promise<ResultOf<Declared<N>>>
    : (call: CallTo<Declared<N>>) => Promise<ResultOf<Declared<N>>>
}
