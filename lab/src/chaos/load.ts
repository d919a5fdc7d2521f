import { setTimeout as pause } from 'node:timers/promises'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import type { Mill } from '../faults/mill.ts'
import { type Accepted, type Exchange, openTraffic, type Traffic } from '../faults/traffic.ts'
import type { Installation } from './installation.ts'

export type Load = AsyncDisposable &
  Pick<Traffic, 'answers' | 'surprises'> & {
    readonly accepted: readonly Accepted[]
    /** Whether the server at this address accepts one more certificate. */
    accepts(url: string): Promise<boolean>
  }

const againMs = 250
const giveUpMs = 45_000

/** One server after the other is asked, unless it matters. */
const exchangeWith = (urls: readonly string[], { headers }: Mill): Exchange => {
  let sent = 0
  return async ({ method, path, body, url = urls[sent % urls.length] }) => {
    sent += 1
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(giveUpMs),
      ...(body === undefined ? {} : { body }),
    })
    return { status: response.status, text: await response.text() }
  }
}

/** Notarizes, verifies and lists until it is disposed, each certificate again until it is accepted. */
export const startLoad = ({
  installation,
  mill,
  everyMs,
}: {
  readonly installation: Installation
  readonly mill: Mill
  readonly everyMs: number
}): Load => {
  const accepted: Accepted[] = []
  const { answers, surprises, send, notarize } = openTraffic(exchangeWith(installation.apiUrls, mill), mill)
  const over = new AbortController()
  let written = 0
  const unanswered = new Map<string, string>()
  const next = (): string => {
    written += 1
    return `CHAOS-${written}`
  }
  const submit = async (number: string, server: { readonly url?: string } = {}): Promise<boolean> => {
    const hash = await notarize({ body: JSON.stringify(sampleCertificate({ number })), ...server })
    if (hash === undefined) return false
    accepted.push({ number, hash })
    return true
  }
  const write = async (): Promise<void> => {
    const number = next()
    while (!(await submit(number))) await pause(againMs)
  }
  const verify = () =>
    send({
      method: 'POST',
      path: '/certificates/verify?mode=test',
      body: JSON.stringify(sampleCertificate()),
    })
  const list = () => send({ method: 'GET', path: '/certificates?limit=20&mode=test' })
  const lane = async (work: () => Promise<unknown>): Promise<void> => {
    while (!over.signal.aborted) {
      await work()
      await pause(everyMs)
    }
  }
  const running = Promise.all([write, write, write, write, verify, list].map(lane))
  return {
    accepted,
    answers,
    surprises,
    async accepts(url) {
      // One whose answer was lost may be accepted, so that it is sent again.
      const number = unanswered.get(url) ?? next()
      unanswered.set(url, number)
      const isAccepted = await submit(number, { url })
      if (isAccepted) unanswered.delete(url)
      return isAccepted
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await running
    },
  }
}
