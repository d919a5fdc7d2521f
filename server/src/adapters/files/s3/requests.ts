import { setTimeout as delay } from 'node:timers/promises'
import type { Secret } from '../../../lib/secret.ts'
import { systemClock } from '../../../ports/clock/clock.ts'
import { FilesUnavailable } from '../../../ports/files/files.ts'
import { queryOf, signed } from './sign.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'

/** Where the objects are, and who may write them. */
export type Bucket = {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** With the bucket in the host name instead of the path. */
  readonly isVirtualHost: boolean
  readonly keyId: string
  readonly secret: Secret
  readonly limits?: Limits
}

/** `attemptMs`: until all of an answer is there. */
type Limits = { readonly attemptMs: number; readonly attempts: number; readonly pauseMs: number }

/** Less than 35 s together, after which a lost database connection is noticed. */
const usualLimits: Limits = { attemptMs: 6_000, attempts: 5, pauseMs: 100 }

export type ObjectRequest = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Without it, the request is for the bucket. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export type ObjectAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** An earlier attempt may have had its effect although its answer was lost. */
  readonly wasRepeated: boolean
}

export type Requests = (request: ObjectRequest) => Promise<ObjectAnswer>

/** Too many requests, or a fault of the server. 409 is the answer to writes of one key at the same time. */
const isTemporary = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500

/** Resolves with a whole answer that is not a temporary fault. Rejects with `FilesUnavailable` after some attempts. */
export const createRequests = (bucket: Bucket): Requests => {
  const { attempts, pauseMs, attemptMs } = bucket.limits ?? usualLimits
  return async (request) => {
    let fault: unknown
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (attempt > 0) await delay(pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()))
      try {
        const answer = await sendOnce(bucket, request, attemptMs)
        if (!isTemporary(answer.status)) return { ...answer, wasRepeated: attempt > 0 }
        fault = new Error(`it answered ${answer.status}${codeIn(answer.bytes)}`)
      } catch (error) {
        fault = error
      }
    }
    const what = `${request.method} ${request.key ?? ''}`.trim()
    throw new FilesUnavailable(
      `S3 at ${bucket.endpoint} did not do ${what} in ${attempts} attempts: ${reasonOf(fault)}`,
      { cause: fault },
    )
  }
}

const sendOnce = async (
  bucket: Bucket,
  { method, key = '', query = {}, headers = {}, body = new Uint8Array() }: ObjectRequest,
  attemptMs: number,
): Promise<Omit<ObjectAnswer, 'wasRepeated'>> => {
  const url = addressOf(bucket, key)
  url.search = queryOf(query)
  const signingKey = { id: bucket.keyId, secret: bucket.secret.reveal(), region: bucket.region }
  const response = await fetch(url, {
    method,
    headers: signed({ method, url, headers, body }, signingKey, new Date(systemClock.now())),
    body: method === 'PUT' ? Buffer.from(body) : undefined,
    redirect: 'error',
    signal: deadlineSignal(attemptMs),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const length = response.headers.get('content-length')
  if (method === 'GET' && length !== null && Number(length) !== bytes.length)
    throw new Error(`the answer ended after ${bytes.length} of ${length} bytes`)
  return { status: response.status, headers: response.headers, bytes }
}

export const addressOf = ({ endpoint, bucket, isVirtualHost }: Bucket, key: string): URL => {
  const url = new URL(endpoint)
  if (isVirtualHost) url.hostname = `${bucket}.${url.hostname}`
  url.pathname = isVirtualHost ? `/${key}` : `/${bucket}${key === '' ? '' : `/${key}`}`
  return url
}

/** The code of an error of S3. */
export const codeIn = (bytes: Buffer): string => {
  const [, code] = /<Code>(\w{1,100})<\/Code>/.exec(bytes.toString('utf8')) ?? []
  return code === undefined ? '' : ` (${code})`
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && error.message === 'fetch failed' ? cause.message : error.message
}
