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
  /** Whether the server at this address accepts one more certificate. */
  accepts(url: string): Promise<boolean>
}

const againMs = 250
const giveUpMs = 45_000
/** No answer, an answer from before the fault, and what the documents promise during one. */
const explained = new Set([0, 200, 201, 202, 204, 503])

type Traffic = {
  readonly answers: Map<number, number>
  readonly surprises: string[]
  /** To one server after the other unless `url` says to which. Undefined unless it succeeded. */
  send(method: string, path: string, body?: string, url?: string): Promise<unknown>
}

const openTraffic = ({ urls, headers }: Mill): Traffic => {
  const answers = new Map<number, number>()
  const surprises: string[] = []
  let sent = 0
  return {
    answers,
    surprises,
    async send(method, path, body, url = urls[sent % urls.length]) {
      sent += 1
      const { status, text } = await fetch(`${url}/api${path}`, {
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
  const unanswered = new Map<string, string>()
  const next = (): string => {
    written += 1
    return `CHAOS-${written}`
  }
  const submit = async (number: string, url?: string): Promise<boolean> => {
    const document = JSON.stringify(sampleCertificate({ number }))
    const path = `/certificates/notarize?mode=test&identity=${mill.identity}`
    const answer = await send('POST', path, document, url)
    if (answer === undefined) return false
    accepted.push({ number, hash: (answer as { hash: { value: string } }).hash.value })
    return true
  }
  const notarize = async (): Promise<void> => {
    const number = next()
    while (!(await submit(number))) await pause(againMs)
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
    async accepts(url) {
      // One whose answer was lost may be accepted, so that it is sent again.
      const number = unanswered.get(url) ?? next()
      unanswered.set(url, number)
      const isAccepted = await submit(number, url)
      if (isAccepted) unanswered.delete(url)
      return isAccepted
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await running
    },
  }
}
