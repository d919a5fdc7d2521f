import { setTimeout as pause } from 'node:timers/promises'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import type { Mill } from './mill.ts'

export type Accepted = { readonly number: string; readonly hash: string }

export type Load = AsyncDisposable & {
  readonly accepted: readonly Accepted[]
  /** Answers by status; 0: none. */
  readonly answers: ReadonlyMap<number, number>
  /** Answers that no fault explains. */
  readonly surprises: readonly string[]
}

const againMs = 250
const giveUpMs = 45_000
/** No answer, an answer from before the fault, and what the documents promise during one. */
const explained = new Set([0, 200, 201, 202, 204, 503])

type Traffic = {
  readonly answers: Map<number, number>
  readonly surprises: string[]
  /** Undefined unless it succeeded. */
  send(method: string, path: string, body?: string): Promise<unknown>
}

/** Requests to one server after the other. */
const openTraffic = ({ urls, headers }: Mill): Traffic => {
  const answers = new Map<number, number>()
  const surprises: string[] = []
  let sent = 0
  return {
    answers,
    surprises,
    async send(method, path, body) {
      sent += 1
      const { status, text } = await fetch(`${urls[sent % urls.length]}/api${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(giveUpMs),
        ...(body === undefined ? {} : { body }),
      })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => ({ status: 0, text: '' }))
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (!explained.has(status)) surprises.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
      return status >= 200 && status < 300 ? JSON.parse(text) : undefined
    },
  }
}

/** Notarizes, verifies and lists until it is disposed, each certificate again until it is accepted. */
export const startLoad = (mill: Mill, { everyMs }: { readonly everyMs: number }): Load => {
  const accepted: Accepted[] = []
  const { answers, surprises, send } = openTraffic(mill)
  const over = new AbortController()
  let written = 0
  const notarize = async (): Promise<void> => {
    written += 1
    const number = `CHAOS-${written}`
    const document = JSON.stringify(sampleCertificate({ number }))
    const path = `/certificates/notarize?mode=test&identity=${mill.identity}`
    for (;;) {
      const answer = await send('POST', path, document)
      if (answer !== undefined) {
        accepted.push({ number, hash: (answer as { hash: { value: string } }).hash.value })
        return
      }
      await pause(againMs)
    }
  }
  const verify = () => send('POST', '/certificates/verify?mode=test', JSON.stringify(sampleCertificate()))
  const list = () => send('GET', '/certificates?limit=20&mode=test')
  const lane = async (work: () => Promise<unknown>): Promise<void> => {
    while (!over.signal.aborted) {
      await work()
      await pause(everyMs)
    }
  }
  const running = Promise.all([notarize, notarize, notarize, notarize, verify, list].map(lane))
  return {
    accepted,
    answers,
    surprises,
    async [Symbol.asyncDispose]() {
      over.abort()
      await running
    },
  }
}
