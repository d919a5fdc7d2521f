import { againstKnown, failed, judge, type Known, knownAmong, type Result, type Trust } from './judge.ts'
import { type Bundle, type Named, type NamedPolicy, type Paper, readAll } from './read-file.ts'
import { summaryOf } from './summary.ts'

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
    trust: Omit<Trust, 'beside' | 'bundles' | 'policy'>,
    progress: (done: number) => void,
  ) => Promise<readonly Result[]>
}

const atOnce = 4

export const createChecker = (): Checker => {
  let papers: readonly (Paper | Result)[] = []
  let policy: NamedPolicy | undefined
  let ignored: NamedPolicy[] = []
  const bundles: Bundle[] = []
  /** Bundles that came with the files, and bundles that came alone and wait for theirs. */
  let beside: readonly Bundle[] = []
  let alone: readonly Bundle[] = []
  /** Notarized certificates, for a comparison with altered ones. */
  let known: readonly Known[] = []
  return {
    given: () => ({ bundles: bundles.length, policy, ignored }),
    use(chosen) {
      policy = chosen
      ignored = []
      known = []
    },
    hasFiles: () => papers.length > 0,
    async read(files, progress) {
      const found: (Paper | Result)[] = []
      const came: Bundle[] = []
      if (files.length > 0) ignored = []
      for await (const one of readAll(files)) {
        if (one.kind === 'policy') ignored.push(one.found)
        else if (one.kind === 'bundle') came.unshift(one.bundle)
        else found.push(one.kind === 'failed' ? failed(one.name, one.error) : one.paper)
        progress(found.length)
      }
      bundles.unshift(...came)
      beside = [...came, ...(found.length > 0 ? alone : beside)]
      alone = found.length > 0 ? [] : [...alone, ...came]
      // Only a single PDF is shown as a picture.
      if (found.length > 0)
        papers =
          found.length === 1 ? found : found.map((one) => ('pdf' in one ? { ...one, pdf: undefined } : one))
    },
    async check(trust, progress) {
      const all: Trust = { ...trust, bundles, policy, beside: besideOf(papers, beside) }
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
      known = [...knownAmong(results), ...known]
      return results.map((result) => againstKnown(result, known))
    },
  }
}

/** The bundle that no file matches accuses the files that match no bundle, if both are of one certificate. */
const besideOf = (papers: readonly (Paper | Result)[], bundles: readonly Bundle[]): Bundle | undefined => {
  const files = papers.filter((one) => 'hash' in one)
  const [orphan, ...orphans] = bundles.filter(
    ({ hashes }) => !files.some(({ hash }) => hashes.includes(hash)),
  )
  const strays = files.filter(({ hash }) => !bundles.some(({ hashes }) => hashes.includes(hash)))
  const numbers = new Set(strays.map(({ hash, certificate }) => summaryOf(certificate).number ?? hash))
  return orphans.length === 0 && numbers.size === 1 ? orphan : undefined
}
