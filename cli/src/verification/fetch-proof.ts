import type { JsonValue } from '@millseal/proof/verifier'

export type Mode = 'test' | 'live'

const deadlineMs = 30_000

/** Undefined if the ledger of this mode does not contain the hash. */
export const fetchBundle = async (
  server: string,
  {
    hash,
    mode,
    onNotes,
  }: {
    readonly hash: string
    readonly mode: Mode
    /** Called with the codes of what the server adds to the bundle, and their words if it says them. */
    readonly onNotes?: (codes: readonly string[], words: readonly string[] | undefined) => void
  },
): Promise<JsonValue | undefined> => {
  const { ApiError, connect } = await import('@millseal/sdk')
  try {
    const client = connect({ baseUrl: server })
    const signal = AbortSignal.timeout(deadlineMs)
    const onHeaders = (headers: Headers) =>
      onNotes?.(headers.get('x-notes')?.split(', ') ?? [], wordsIn(headers.get('x-notes-text')))
    const answer = await client.readProof({ params: { hash }, query: { mode, format: 3 }, signal, onHeaders })
    return answer as unknown as JsonValue
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

const wordsIn = (text: string | null): readonly string[] | undefined =>
  text === null
    ? undefined
    : (JSON.parse(text) as readonly { readonly en: string }[]).map(({ en }) => en.replace(/\.$/, ''))

/** In English. Notes of a newer server have no words here. */
export const wordsOfNotes = async (codes: readonly string[]): Promise<readonly string[]> => {
  if (codes.length === 0) return []
  const { reasonTemplates } = await import('@millseal/contract/reasons')
  const { inWords } = await import('@millseal/contract/reason-words')
  return codes.flatMap((code) => inWords({ code, values: {} }, reasonTemplates.en) ?? [])
}

export const otherMode = (mode: Mode): Mode => (mode === 'live' ? 'test' : 'live')

export const fetchLogKey = async (server: string, mode: Mode): Promise<string> => {
  const response = await fetch(`${server}/ledger/${mode}/vkey`, { signal: AbortSignal.timeout(deadlineMs) })
  if (!response.ok)
    throw new Error(`${server} did not return the key of its ${mode} log (status ${response.status})`)
  return (await response.text()).trim()
}
