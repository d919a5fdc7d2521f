import type { OperationEntry } from '@millseal/contract'
import { operationTable } from '@millseal/contract/operation-table'
import { ApiError } from './api-error.ts'
import { type Send, sendOnce } from './send.ts'
import type { Client, ErrorResponse } from './types.ts'

export type ClientOptions = {
  /** Without `/api`: https://millseal.example.com */
  readonly baseUrl: string
  readonly accessToken?: string
  readonly fetch?: typeof fetch
}

type AnyCall = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly document?: Blob
  readonly fields?: Readonly<Record<string, string>>
  readonly company?: string
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly onHeaders?: (headers: Headers) => void
}

/** Every operation of the contract as a typed function. A call is one request; `connect` also retries. */
export const createClient = (options: ClientOptions): Client =>
  createClientWith(options, sendOnce(options.fetch ?? fetch))

type ClientDefaults = {
  readonly baseUrl: string
  readonly accessToken?: string
  readonly company?: string
  /** Creates the Idempotency-Key of a POST. */
  readonly newKey?: () => string
}

export const createClientWith = (defaults: ClientDefaults, send: Send): Client => {
  const perform = async (operation: OperationEntry, call: AnyCall = {}): Promise<unknown> => {
    const request = toRequest(operation, call, defaults)
    const response = await send(request, {
      isRepeatable: operation.repeatable === true || request.headers.has('idempotency-key'),
      needsToken: operation.access === 'bearer' || operation.access === 'user',
    })
    call.onHeaders?.(response.headers)
    return await toResult(operation, response)
  }
  return Object.fromEntries(
    Object.entries(operationTable).map(([name, operation]) => [
      name,
      (call?: AnyCall) => perform(operation, call),
    ]),
  ) as unknown as Client
}

const toRequest = (operation: OperationEntry, call: AnyCall, defaults: ClientDefaults): Request => {
  const { baseUrl, accessToken, newKey } = defaults
  const headers = new Headers({ accept: 'application/json', 'x-version': '1', ...call.headers })
  if (accessToken !== undefined && !headers.has('authorization'))
    headers.set('authorization', `Bearer ${accessToken}`)
  const company = call.company ?? (operation.company === undefined ? undefined : defaults.company)
  if (company !== undefined) headers.set('company', company)
  const key = call.idempotencyKey ?? (operation.keyed === true ? newKey?.() : undefined)
  if (key !== undefined) headers.set('idempotency-key', key)
  const body = toBody(operation, call)
  if (body?.type !== undefined) headers.set('content-type', body.type)
  return new Request(toUrl(operation, call, baseUrl), {
    method: operation.method,
    headers,
    redirect: 'manual',
    body: body?.content ?? null,
    signal: call.signal ?? null,
  })
}

const toUrl = ({ path }: OperationEntry, { params = {}, query = {} }: AnyCall, baseUrl: string): URL => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/api${filled}`)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

const toBody = (
  { body }: OperationEntry,
  call: AnyCall,
): { content: string | Blob | FormData; type?: string } | undefined => {
  if (call.document !== undefined) return { content: toUpload(call.document, call.fields) }
  if (call.body === undefined) return undefined
  if (body !== 'form') return { content: JSON.stringify(call.body), type: 'application/json' }
  const content = new URLSearchParams(call.body as Record<string, string>).toString()
  return { content, type: 'application/x-www-form-urlencoded' }
}

/** The document itself, or a form if there are fields or a file name. */
const toUpload = (document: Blob, fields: AnyCall['fields']): Blob | FormData => {
  const isNamed = typeof File !== 'undefined' && document instanceof File
  if (fields === undefined && !isNamed) return document
  const form = new FormData()
  for (const [name, value] of Object.entries(fields ?? {})) form.set(name, value)
  form.set('file', document)
  return form
}

const toResult = async ({ answer, redirect }: OperationEntry, response: Response): Promise<unknown> => {
  if (response.status === redirect) {
    return { location: response.headers.get('location') ?? '' }
  }
  if (!response.ok) throw await toError(response)
  return answer === 'json' ? response.json() : response.blob()
}

const toError = async (response: Response): Promise<ApiError> =>
  new ApiError(response, (await response.json().catch(() => undefined)) as ErrorResponse | undefined)
