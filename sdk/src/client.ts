import { type Operation, operations } from '@millseal/contract'
import { ApiError } from './api-error.ts'
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
  readonly company?: string
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Every operation of the contract, typed by it. */
export const createClient = (options: ClientOptions): Client => {
  const send = async (operation: Operation, call: AnyCall = {}): Promise<unknown> =>
    toResult(operation, await (options.fetch ?? fetch)(toRequest(operation, call, options)))
  return Object.fromEntries(
    Object.entries<Operation>(operations).map(([name, operation]) => [
      name,
      (call?: AnyCall) => send(operation, call),
    ]),
  ) as unknown as Client
}

const toRequest = (operation: Operation, call: AnyCall, { baseUrl, accessToken }: ClientOptions): Request => {
  const headers = new Headers({ accept: 'application/json', 'x-version': '1', ...call.headers })
  if (accessToken !== undefined) headers.set('authorization', `Bearer ${accessToken}`)
  if (call.company !== undefined) headers.set('company', call.company)
  if (call.idempotencyKey !== undefined) headers.set('idempotency-key', call.idempotencyKey)
  const body = toBody(operation, call)
  if (body?.type !== undefined) headers.set('content-type', body.type)
  return new Request(toUrl(operation, call, baseUrl), {
    method: operation.method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: body.content }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  })
}

const toUrl = ({ path }: Operation, { params = {}, query = {} }: AnyCall, baseUrl: string): URL => {
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
  { body }: Operation,
  call: AnyCall,
): { content: string | Blob; type?: string } | undefined => {
  if (call.document !== undefined) return { content: call.document }
  if (call.body === undefined) return undefined
  if (body?.kind !== 'form') return { content: JSON.stringify(call.body), type: 'application/json' }
  const content = new URLSearchParams(call.body as Record<string, string>).toString()
  return { content, type: 'application/x-www-form-urlencoded' }
}

const toResult = async ({ answer }: Operation, response: Response): Promise<unknown> => {
  if (answer.kind === 'redirect' && response.status === answer.status) {
    return { location: response.headers.get('location') ?? '' }
  }
  if (!response.ok) throw await toError(response)
  return answer.kind === 'json' ? response.json() : response.blob()
}

const toError = async (response: Response): Promise<ApiError> => {
  const answer = (await response.json().catch(() => undefined)) as ErrorResponse | undefined
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, answer, Number.isNaN(retryAfter) ? undefined : retryAfter)
}
