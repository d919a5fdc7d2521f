export type Accepted = { readonly number: string; readonly hash: string }

export type Asked = {
  readonly method: string
  readonly path: string
  readonly body?: string
  /** The server that is asked, if it matters. */
  readonly url?: string
  readonly idempotencyKey?: string
}

/** Rejects if there was no answer. */
export type Exchange = (asked: Asked) => Promise<{ readonly status: number; readonly text: string }>

export type Traffic = {
  /** Answers by status; 0: none. */
  readonly answers: ReadonlyMap<number, number>
  /** Answers that no fault explains. */
  readonly surprises: readonly string[]
  /** Undefined unless it succeeded. */
  send(asked: Asked): Promise<unknown>
  /** The hash of the certificate, once it is accepted. */
  notarize(asked: Omit<Asked, 'method' | 'path'>): Promise<string | undefined>
}

/** No answer, an answer from before the fault, and what the documents promise during one. */
const explained = new Set([0, 200, 201, 202, 204, 503])

export const openTraffic = (exchange: Exchange, { identity }: { readonly identity: string }): Traffic => {
  const answers = new Map<number, number>()
  const surprises: string[] = []
  const send = async (asked: Asked): Promise<unknown> => {
    const { status, text } = await exchange(asked).catch(() => ({ status: 0, text: '' }))
    answers.set(status, (answers.get(status) ?? 0) + 1)
    if (!explained.has(status))
      surprises.push(`${asked.method} ${asked.path}: ${status} ${text.slice(0, 300)}`)
    return status >= 200 && status < 300 ? JSON.parse(text) : undefined
  }
  return {
    answers,
    surprises,
    send,
    async notarize(asked) {
      const path = `/certificates/notarize?mode=test&identity=${identity}`
      const answer = await send({ ...asked, method: 'POST', path })
      return (answer as { hash: { value: string } } | undefined)?.hash.value
    },
  }
}
