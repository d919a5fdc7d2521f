import { because } from '@millseal/contract/reasons'
import { LedgerUnavailable } from '../../../ports/ledger/ledger.ts'
import { readAnswer, readReason } from './answers.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'
import { fetchReasonOf, readBounded } from '../../../lib/read-bounded.ts'

export type NetworkAnswer = { readonly status: number; readonly body: unknown }

/** One node of a network. Answers are limited in time and size, and redirects are not followed. */
export type Network = {
  /** 200, or undefined for 404; everything else is `LedgerUnavailable`. */
  get(
    path: string,
    query?: Readonly<Record<string, string | undefined>>,
    signal?: AbortSignal,
  ): Promise<unknown>
  /** Every status below 500, except those that ask to retry later. */
  post(path: string, text: string, signal?: AbortSignal): Promise<NetworkAnswer>
}

export type NetworkOptions = {
  /** The root of the node, or of its API. */
  readonly url: string
  /** For a whole request: connecting, waiting and reading. */
  readonly timeoutMs?: number
  readonly maxBytes?: number
}

export const openNetwork = (options: NetworkOptions): Network => {
  const { timeoutMs = 15_000, maxBytes = 16 * 1024 * 1024 } = options
  const api = `${options.url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`

  const ask = async (
    path: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
  ): Promise<NetworkAnswer> => {
    signal?.throwIfAborted()
    const deadline = deadlineSignal(timeoutMs)
    try {
      const response = await fetch(`${api}${path}`, {
        ...init,
        // A different host would be a different network.
        redirect: 'manual',
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      })
      const bytes = await readBounded(response, maxBytes)
      if (bytes === undefined)
        throw new LedgerUnavailable(because('network_sent_too_much', { most: maxBytes }))
      return { status: response.status, body: response.ok ? readAnswer(bytes) : readRefusal(bytes) }
    } catch (error) {
      if (error instanceof LedgerUnavailable) throw error
      signal?.throwIfAborted()
      const why = deadline.aborted ? because('no_answer_within_ms', { ms: timeoutMs }) : fetchReasonOf(error)
      throw new LedgerUnavailable(because('network_unreachable', { why }), { cause: error })
    }
  }

  return {
    async get(path, query = {}, signal) {
      const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
      const { status, body } = await ask(`${path}${search}`, { method: 'GET' }, signal)
      if (status === 404) return undefined
      if (status !== 200)
        throw new LedgerUnavailable(because('network_answers', { status, why: readReason(body) }))
      return body
    },
    async post(path, text, signal) {
      const headers = { 'content-type': 'application/json' }
      const answer = await ask(path, { method: 'POST', headers, body: text }, signal)
      const { status, body } = answer
      const comesBack = status === 408 || status === 429 || status >= 500 || (status >= 300 && status < 400)
      if (comesBack)
        throw new LedgerUnavailable(because('network_answers', { status, why: readReason(body) }))
      return answer
    },
  }
}

/** A proxy in between may answer in anything but JSON. */
const readRefusal = (bytes: Uint8Array): unknown => {
  try {
    return readAnswer(bytes)
  } catch {
    return Buffer.from(bytes.subarray(0, 200)).toString('utf8')
  }
}
