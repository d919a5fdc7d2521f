import type { JsonValue } from '@millseal/proof/verifier'
import { failed, judge, notarizedAmong, type Result, type Trust, withDifferences } from './judge.ts'
import { type Bundle, type Named, type NamedPolicy, type Paper, readAll } from './read-file.ts'

/** The files to check, and the bundles and policy of the reader. */
export type Checker = {
  readonly given: () => {
    readonly bundles: number
    readonly policy: NamedPolicy | undefined
    /** Policies that came with the last files. They decide nothing: who sends a file must not choose whom the reader trusts. */
    readonly ignored: readonly NamedPolicy[]
  }
  /** With the policy that the reader chose, or without one. */
  readonly use: (policy: NamedPolicy | undefined) => void
  readonly hasFiles: () => boolean
  /** Reads files. They replace the former ones unless they are only bundles or policies. */
  readonly read: (files: readonly Named[], progress: (done: number) => void) => Promise<void>
  /** Checks the files, the problems included. */
  readonly check: (
    trust: Omit<Trust, 'bundles' | 'policy'>,
    progress: (done: number) => void,
  ) => Promise<readonly Result[]>
}

const atOnce = 4

export const createChecker = (): Checker => {
  let papers: readonly (Paper | Result)[] = []
  let policy: NamedPolicy | undefined
  let ignored: NamedPolicy[] = []
  const bundles: Bundle[] = []
  /** Notarized certificates, for a comparison with altered ones. */
  const known: JsonValue[] = []
  return {
    given: () => ({ bundles: bundles.length, policy, ignored }),
    use(chosen) {
      policy = chosen
      ignored = []
    },
    hasFiles: () => papers.length > 0,
    async read(files, progress) {
      const found: (Paper | Result)[] = []
      if (files.length > 0) ignored = []
      for await (const one of readAll(files)) {
        if (one.kind === 'policy') ignored.push(one.found)
        else if (one.kind === 'bundle') bundles.unshift(one.bundle)
        else found.push(one.kind === 'failed' ? failed(one.name, one.error) : one.paper)
        progress(found.length)
      }
      // Only a single PDF is shown as a picture.
      if (found.length > 0)
        papers =
          found.length === 1 ? found : found.map((one) => ('pdf' in one ? { ...one, pdf: undefined } : one))
    },
    async check(trust, progress) {
      const all: Trust = { ...trust, bundles, policy }
      const given = papers
      const results: Result[] = []
      const waiting = [...given.entries()]
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const [index, one] = next
          results[index] = 'outcome' in one ? one : await judge(one, all)
          progress(results.filter(Boolean).length)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      known.unshift(...notarizedAmong(results))
      return withDifferences(results, known)
    },
  }
}
