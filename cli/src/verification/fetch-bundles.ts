import type { JsonValue } from '@millseal/proof/verifier'
import { answeredLines } from './answered-lines.ts'
import type { Mode } from './fetch-proof.ts'

/** As many as a server gives in one answer. */
const most = 100

type Answered = {
  readonly name?: string
  readonly status: number
  readonly answer?: { readonly bundle: JsonValue; readonly notes: readonly { readonly en: string }[] }
  readonly error?: { readonly message: string }
  readonly end?: true
}

export type Fetched = {
  /** Undefined if the ledger does not contain the hash. */
  readonly bundle: JsonValue | undefined
  /** What the server adds to the bundle, in sentences. */
  readonly notes: readonly string[]
}

const nothing: Fetched = { bundle: undefined, notes: [] }

/** Fetches a bundle by the hash of a file. Those that are wanted at the same time are fetched together. */
export const fetchTogether = (server: string, mode: Mode): ((hash: string) => Promise<Fetched>) => {
  let waiting = new Map<string, PromiseWithResolvers<Fetched>>()

  const fetchWaiting = async (): Promise<void> => {
    const wanted = [...waiting]
    waiting = new Map()
    for (let at = 0; at < wanted.length; at += most) {
      const group = wanted.slice(at, at + most)
      try {
        const found = await fetchBundles(
          { server, mode },
          group.map(([hash]) => hash),
        )
        for (const [hash, { resolve }] of group) resolve(found.get(hash) ?? nothing)
      } catch (error) {
        for (const [, { reject }] of group) reject(error)
      }
    }
  }

  return (hash) => {
    if (waiting.size === 0) setImmediate(() => void fetchWaiting())
    const wanted = waiting.get(hash) ?? Promise.withResolvers<Fetched>()
    waiting.set(hash, wanted)
    return wanted.promise
  }
}

const fetchBundles = async (
  { server, mode }: { readonly server: string; readonly mode: Mode },
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Fetched>> => {
  const { connect } = await import('@millseal/sdk')
  const client = connect({ baseUrl: server })
  const body = { hashes: [...hashes] }
  const lines = await answeredLines<Answered>(client.readProofs({ query: { mode, format: 3 }, body }))
  if (lines.at(-1)?.end !== true) throw new Error(`the answer of ${server} was cut off`)
  const failed = lines.find(({ status }) => status >= 400 && status !== 404)
  if (failed !== undefined) throw new Error(failed.error?.message ?? `HTTP ${failed.status}`)
  return new Map(
    lines.flatMap(({ name, answer }) =>
      name === undefined || answer === undefined
        ? []
        : [[name, { bundle: answer.bundle, notes: answer.notes.map(({ en }) => en) }]],
    ),
  )
}
