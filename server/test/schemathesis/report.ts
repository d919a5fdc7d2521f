import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Operation, operations } from '@millseal/contract'

/** A failed check, without the values of the request. */
export type Complaint = {
  readonly check: string
  /** `METHOD /path` of the operation. */
  readonly operation: string
  readonly status: number
  /** The message of our answer. */
  readonly message: string
  readonly says: string
}

export type Report = {
  readonly requests: number
  readonly judged: ReadonlySet<string>
  /** Operations of the document without a request. */
  readonly unjudged: readonly string[]
  /** The operations that succeeded at least once. */
  readonly accepted: ReadonlySet<string>
  /** One of each kind for each operation. */
  readonly complaints: readonly Complaint[]
  /** What went wrong in the judge. */
  readonly errors: readonly string[]
}

type Content = { readonly $base64?: string } | null
type Recorder = {
  readonly cases?: Readonly<
    Record<string, { readonly value: { readonly method: string; readonly path: string } }>
  >
  readonly interactions?: Readonly<
    Record<
      string,
      { readonly response?: { readonly status_code: number; readonly content?: Content } | null }
    >
  >
  readonly checks?: Readonly<
    Record<
      string,
      readonly {
        readonly name: string
        readonly status: string
        readonly failure_info?: { readonly failure: { readonly title?: string; readonly message?: string } }
      }[]
    >
  >
}
type Line = {
  readonly ScenarioFinished?: { readonly recorder: Recorder }
  readonly NonFatalError?: { readonly label?: string; readonly info?: unknown }
  readonly FatalError?: { readonly info?: unknown }
}

/** Faults of schemathesis 4.32.5 itself, which it reports as errors and not as failed checks. */
const mistakes = [
  // Hypothesis finds that its own generator gives another value the second time; no request has failed.
  /FlakyFailure/,
]

async function* linesOf(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) yield* createInterface({ input: createReadStream(path) })
}

/** Reads the files that runs of schemathesis write with `--report ndjson`. */
export const readReports = async (paths: readonly string[]): Promise<Report> => {
  let requests = 0
  const judged = new Set<string>()
  const accepted = new Set<string>()
  const complaints = new Map<string, Complaint>()
  const errors: string[] = []
  for await (const text of linesOf(paths)) {
    const { ScenarioFinished, NonFatalError, FatalError } = JSON.parse(text) as Line
    const failure = JSON.stringify(NonFatalError ?? FatalError ?? null)
    if (failure !== 'null' && !mistakes.some((mistake) => mistake.test(failure))) errors.push(failure)
    const { cases = {}, interactions = {}, checks = {} } = ScenarioFinished?.recorder ?? {}
    for (const [id, { response }] of Object.entries(interactions)) {
      const operation = labelOf(cases[id])
      requests += 1
      judged.add(operation)
      if ((response?.status_code ?? 500) < 400) accepted.add(operation)
    }
    for (const [id, results] of Object.entries(checks))
      for (const { name: check, status: outcome, failure_info } of results) {
        if (outcome === 'success') continue
        const response = interactions[id]?.response
        const { title = '', message: detail = '' } = failure_info?.failure ?? {}
        const complaint = {
          check,
          operation: labelOf(cases[id]),
          status: response?.status_code ?? 0,
          message: messageOf(response?.content ?? null),
          says: `${title}: ${detail}`.slice(0, 600),
        }
        const key = [check, complaint.operation, complaint.status, withoutValues(complaint.message)].join()
        if (!complaints.has(key)) complaints.set(key, complaint)
      }
  }
  const unjudged = Object.values<Operation>(operations)
    .map((operation) => `${operation.method} ${operation.path}`)
    .filter((operation) => !judged.has(operation))
  return { requests, judged, unjudged, accepted, complaints: [...complaints.values()], errors }
}

const labelOf = (one: { readonly value: { readonly method: string; readonly path: string } } | undefined) =>
  one === undefined ? 'unknown' : `${one.value.method} ${one.value.path}`

const messageOf = (content: Content): string => {
  const text = Buffer.from(content?.$base64 ?? '', 'base64').toString('utf8')
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown }
    return typeof message === 'string' ? message : ''
  } catch {
    return text.slice(0, 200)
  }
}

const withoutValues = (message: string): string => message.replaceAll(/[0-9]+|'[^']*'/g, '0').slice(0, 80)
