import type {
  AnswerOf,
  BodyOf,
  FieldsOf,
  Operation,
  OperationName,
  operations,
  ParamsOf,
  QueryOf,
} from '@millseal/contract'

export type { OperationName }
type Declared<N extends OperationName> = (typeof operations)[N]

export type ErrorResponse = {
  readonly statusCode: number
  readonly path: string
  readonly method: string
  readonly timestamp: string
  readonly message: string
  readonly name: string
  readonly details: readonly string[]
  /** The code and the values of each of the details, in their order. Servers of older releases have none. */
  readonly reasons?: readonly {
    readonly code: string
    readonly values: Readonly<Record<string, unknown>>
  }[]
}

/** Present if the operation has this part, and required if the part is. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? object
  : undefined extends Value
    ? { readonly [K in Name]?: Exclude<Value, undefined> }
    : object extends Value
      ? { readonly [K in Name]?: Value }
      : { readonly [K in Name]: Value }

/** A Blob is sent as the body and needs a type. A File, or fields, make it a form. */
type Upload<O extends Operation> = { readonly document: Blob } & Part<'fields', FieldsOf<O>>

type CallTo<O extends Operation> = Part<'params', ParamsOf<O>> &
  Part<'query', QueryOf<O>> &
  (BodyOf<O> extends { bytes: Uint8Array } ? Upload<O> : Part<'body', BodyOf<O>>) & {
    readonly company?: string
    /** Makes a POST safe to retry: it takes effect only once. */
    readonly idempotencyKey?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
    /** Gets the headers of the answer, for example `Link` and `X-Total-Count` of a list. */
    readonly onHeaders?: (headers: Headers) => void
  }

/** JSON answers are typed. A redirect returns its target, a document its bytes. */
type ResultOf<O extends Operation> = O['answer'] extends { kind: 'json' }
  ? AnswerOf<O>
  : O['answer'] extends { kind: 'redirect' }
    ? { readonly location: string }
    : Blob

/** One method for each operation of the contract. The argument is optional if nothing in it is required. */
export type Client = {
  readonly [N in OperationName]: object extends CallTo<Declared<N>>
    ? (call?: CallTo<Declared<N>>) => Promise<ResultOf<Declared<N>>>
    : (call: CallTo<Declared<N>>) => Promise<ResultOf<Declared<N>>>
}
