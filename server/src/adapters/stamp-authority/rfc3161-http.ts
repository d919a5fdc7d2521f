import { randomBytes } from 'node:crypto'
import {
  type Authority,
  plainLine,
  readStampResponse,
  StampRefused,
  writeStampRequest,
} from '@millseal/proof'
import { deadlineSignal } from '../../lib/deadline.ts'
import { fetchReasonOf, readBounded } from '../../lib/read-bounded.ts'
import type { StampAnswer, StampAuthority } from '../../ports/stamp-authority/stamp-authority.ts'

const maxAnswerBytes = 65_536
const nonceBytes = 16

/** RFC 3161 §3.4: the protocol over HTTP. What it answers is signed, so the connection need not be encrypted. */
export const createRfc3161Http = ({
  url,
  authority,
  timeoutMs,
}: {
  readonly url: string
  readonly authority: Authority
  readonly timeoutMs: number
}): StampAuthority => ({
  name: authority.name,
  async stamp(sha256, signal) {
    const question = { sha256, nonce: randomBytes(nonceBytes) }
    const deadline = deadlineSignal(timeoutMs)
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: Buffer.from(writeStampRequest(question)),
        headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, deadline]),
      })
      const answer = await readBounded(response, maxAnswerBytes)
      if (answer === undefined) return unavailable(`its answer has more than ${maxAnswerBytes} bytes`)
      if (response.status !== 200) return unavailable(`status ${response.status}`)
      return { kind: 'stamped', ...readStampResponse(answer, { ...question, authorities: [authority] }) }
    } catch (error) {
      if (error instanceof StampRefused) return unavailable(plainLine(error.message, 200))
      return unavailable(deadline.aborted ? `no answer within ${timeoutMs} ms` : fetchReasonOf(error))
    }
  },
})

const unavailable = (why: string): StampAnswer => ({ kind: 'unavailable', why })
