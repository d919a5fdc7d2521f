import { isIP } from 'node:net'
import { Pool } from 'undici'
import { because, type Reason } from '@millseal/contract/reasons'
import {
  type Courier,
  NotDelivered,
  type Parcel,
  type Receipt,
  requestsPerReceiver,
} from '../../../ports/courier/courier.ts'
import { createDialer, type Resolve, resolveName } from './dialer.ts'
import { asNotDelivered } from './failure.ts'
import { type NamedTargets, readNamedTargets } from './named-targets.ts'
import { isPublicAddress } from './public-address.ts'
import { type Deadline, startDeadline } from '../../../lib/deadline.ts'

export type UndiciCourierOptions = {
  /** Targets that may be private: networks, hosts, hosts with a port. */
  readonly allow: readonly string[]
  readonly resolve?: Resolve
  readonly deadlines?: Deadlines
}

type Deadlines = {
  /** Until the headers of the answer have arrived. */
  readonly headersMs: number
  readonly totalMs: number
}

const answerBytes = 16 * 1024
const maxPools = 512

/** Keeps one pool of connections per origin. If there are too many, the least recently used ones are closed. */
export const createUndiciCourier = ({
  allow,
  resolve = resolveName,
  deadlines = { headersMs: 10_000, totalMs: 15_000 },
}: UndiciCourierOptions): Courier => {
  const named = readNamedTargets(allow)
  const pools = new Map<string, Pool>()

  const poolOf = (origin: string, verifyCertificate: boolean): Pool => {
    const key = `${origin} ${verifyCertificate}`
    const pool = pools.get(key) ?? openPool(origin, verifyCertificate)
    pools.delete(key)
    pools.set(key, pool)
    for (const [oldest, unused] of pools) {
      if (pools.size <= maxPools) break
      pools.delete(oldest)
      void unused.close()
    }
    return pool
  }

  const openPool = (origin: string, verifyCertificate: boolean): Pool =>
    new Pool(origin, {
      connect: createDialer({ named, resolve, verifyCertificate, timeoutMs: deadlines.headersMs }),
      connections: requestsPerReceiver,
      pipelining: 1,
      allowH2: false,
      // Both are idle timeouts. Calls end by the deadlines of `post`.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 60_000,
      maxHeaderSize: answerBytes,
    })

  return {
    async post(parcel) {
      const url = new URL(parcel.url)
      const refusal = refusalOf(url, named)
      if (refusal !== undefined) throw new NotDelivered(refusal)
      const call = new CallDeadlines(deadlines, parcel.signal)
      try {
        return await send(poolOf(url.origin, parcel.verifyCertificate), { url, parcel, call })
      } catch (error) {
        throw asNotDelivered(call.reason ?? error)
      } finally {
        call[Symbol.dispose]()
      }
    },
    refusalOf: (url) => refusalOf(url, named),
    isNamedByOperator: (url) => named.has(targetOf(url)),
    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
      pools.clear()
    },
  }
}

const send = async (
  pool: Pool,
  { url, parcel, call }: { readonly url: URL; readonly parcel: Parcel; readonly call: CallDeadlines },
): Promise<Receipt> => {
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: { ...parcel.headers, 'accept-encoding': 'identity' },
    body: parcel.body,
    signal: call.signal,
  })
  call.answered()
  return {
    status: statusCode,
    headers: firstValues(headers),
    answer: await readStart(body),
  }
}

const firstValues = (headers: Readonly<Record<string, string | string[] | undefined>>): Receipt['headers'] =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value
      return first === undefined ? [] : [[name.toLowerCase(), first]]
    }),
  )

/** The status is known already, so an answer that is aborted or takes too long is returned as far as it was read. */
const readStart = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let missing = answerBytes
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, missing))
      missing -= chunk.length
      if (missing <= 0) break
    }
  } catch {
    // The rest cannot be read.
  }
  return Buffer.concat(chunks)
}

/** The deadlines of one call. */
class CallDeadlines implements Disposable {
  readonly #controller = new AbortController()
  readonly #headers: Deadline
  readonly #total: Deadline
  readonly #caller: AbortSignal

  constructor({ headersMs, totalMs }: Deadlines, caller: AbortSignal) {
    this.#caller = caller
    const endAfter = (ms: number): Deadline =>
      startDeadline(ms, () => this.#end(because('no_answer_within', { seconds: ms / 1_000 })))
    this.#headers = endAfter(headersMs)
    this.#total = endAfter(totalMs)
    caller.addEventListener('abort', this.#stop)
    if (caller.aborted) this.#stop()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Why the call was aborted, if it was. */
  get reason(): unknown {
    return this.signal.aborted ? this.signal.reason : undefined
  }

  answered(): void {
    this.#headers[Symbol.dispose]()
  }

  readonly #stop = (): void => this.#end(because('service_stopped'))

  #end(reason: Reason): void {
    this.#controller.abort(new NotDelivered(reason))
  }

  [Symbol.dispose](): void {
    this.#headers[Symbol.dispose]()
    this.#total[Symbol.dispose]()
    this.#caller.removeEventListener('abort', this.#stop)
  }
}

const targetOf = ({ hostname, port, protocol }: URL): { host: string; port: number } => ({
  host: hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase(),
  port: Number(port || (protocol === 'http:' ? 80 : 443)),
})

const refusalOf = (url: URL, named: NamedTargets): Reason | undefined => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return because('must_be_https')
  if (url.username !== '' || url.password !== '') return because('url_has_credentials')
  const target = targetOf(url)
  if (target.host === '') return because('url_without_host')
  if (named.has(target)) return undefined
  if (target.port < 1_024 && target.port !== 80 && target.port !== 443)
    return because('url_has_port', { port: target.port })
  const isPrivateName = target.host === 'localhost' || target.host.endsWith('.localhost')
  if (isPrivateName || (isIP(target.host) !== 0 && !isPublicAddress(target.host))) {
    return because('url_not_reachable')
  }
  return undefined
}
