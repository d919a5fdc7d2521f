import type { Say } from './texts/texts.ts'

/** A problem that the page explains in the language of the reader. */
export class Trouble extends Error {
  override readonly name = 'Trouble'
  readonly say: Say

  constructor(say: Say, options?: ErrorOptions) {
    super('', options)
    this.say = say
  }
}

const offline = (cause: unknown): Trouble => new Trouble((texts) => texts.notReached, { cause })

/** Asks a service. Undefined if it has nothing at the path. */
export type Service = (path: string, onHeaders?: (headers: Headers) => void) => Promise<string | undefined>

const deadlineMs = 20_000

export const serviceAt =
  (server: string): Service =>
  async (path, onHeaders) => {
    const response = await fetch(new URL(path, server), {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(deadlineMs),
    }).catch((cause: unknown) => {
      throw offline(cause)
    })
    const { status } = response
    if (status === 404) return undefined
    if (!response.ok) throw new Trouble((texts) => texts.serviceFailed(status))
    onHeaders?.(response.headers)
    return response.text().catch((cause: unknown) => {
      throw offline(cause)
    })
  }
