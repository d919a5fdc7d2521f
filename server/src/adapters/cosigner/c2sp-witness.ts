import { type CosignerKey, encodeBase64, plainLine } from '@millseal/proof'
import { deadlineSignal } from '../../lib/deadline.ts'
import { fetchReasonOf, readBounded } from '../../lib/read-bounded.ts'
import type { Cosigner, CosignerAnswer, OfferedCheckpoint } from '../../ports/cosigner/cosigner.ts'

/** A cosignature for ML-DSA-44 has 3.3 kB, and a cosigner may answer with several lines. */
const maxAnswerBytes = 65_536

/** C2SP tlog-witness v1.0.0. */
export const createC2spWitness = ({
  name,
  key,
  url,
  timeoutMs,
}: {
  readonly name: string
  readonly key: CosignerKey
  /** The submission prefix. */
  readonly url: string
  /** For a whole request. */
  readonly timeoutMs: number
}): Cosigner => ({
  name,
  key,
  async addCheckpoint(offered, signal) {
    const deadline = deadlineSignal(timeoutMs)
    try {
      const response = await fetch(`${url}/add-checkpoint`, {
        method: 'POST',
        body: requestOf(offered),
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        // Another address would be another cosigner.
        redirect: 'manual',
        signal: AbortSignal.any([signal, deadline]),
      })
      const bytes = await readBounded(response, maxAnswerBytes)
      if (bytes === undefined) return unavailable(`its answer has more than ${maxAnswerBytes} bytes`)
      return readAnswer(response.status, bytes.toString('utf8'), offered)
    } catch (error) {
      return unavailable(deadline.aborted ? `no answer within ${timeoutMs} ms` : fetchReasonOf(error))
    }
  },
})

const requestOf = ({ oldSize, proof, note }: OfferedCheckpoint): string =>
  [`old ${oldSize}`, ...proof.map(encodeBase64), '', note].join('\n')

const readAnswer = (status: number, text: string, offered: OfferedCheckpoint): CosignerAnswer => {
  const { oldSize, size } = offered
  if (status === 200) return { kind: 'cosigned', lines: text.split('\n').filter((line) => line !== '') }
  if (status === 409) return readConflict(text, offered)
  // Without a size that it named, a cosigner has nothing to compare with.
  if (status === 422 && oldSize > 0)
    return { kind: 'contradicts', why: `its ${oldSize} entries are not the first of the ${size} of this log` }
  if (status === 403 || status === 404 || status === 500)
    return unavailable(`it does not serve this log, or does not know its key (${said(status, text)})`)
  return unavailable(said(status, text))
}

/** The size that it has; older omniwitness says nothing if only the root differs. */
const readConflict = (text: string, { oldSize, size }: OfferedCheckpoint): CosignerAnswer => {
  const [, digits] = /^(0|[1-9]\d{0,14})\n?$/.exec(text) ?? []
  const has = digits === undefined ? oldSize : Number(digits)
  if (has !== oldSize) return { kind: 'has', size: has }
  return oldSize === size && size > 0
    ? { kind: 'contradicts', why: `it has ${size} other entries` }
    : unavailable(said(409, text))
}

const unavailable = (why: string): CosignerAnswer => ({ kind: 'unavailable', why })

const said = (status: number, text: string): string =>
  text.trim() === '' ? `status ${status}` : `status ${status}: ${plainLine(text.trim(), 200)}`
