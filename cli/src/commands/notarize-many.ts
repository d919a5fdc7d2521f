import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Mode, Notarization } from '@millseal/contract'
import type { Connection } from '@millseal/sdk'
import type { Outcome } from '../frame/command.ts'
import { messageOf } from '../frame/error-message.ts'
import { openReport, type Report, type Reported } from '../frame/report.ts'
import type { Terminal } from '../frame/terminal.ts'
import { answeredLines } from '../verification/answered-lines.ts'
import { readCertificateFile } from '../verification/read-file.ts'

/** In one request: enough for the ten requests a minute that a server allows, and small enough to tell how far it is. */
const mostFiles = 200
const mostBytes = 16 * 1024 * 1024
/** Servers refuse certificates while too many wait, and say 429 or 503. */
const pauses = { firstMs: 1_000, longestMs: 10_000 }

type State = 'accepted' | 'awaitsRelease' | 'onLedger' | 'refused' | 'waiting'

type Line = Reported & {
  readonly state: State
  readonly jobId?: string
  readonly transactionId?: string
  readonly error?: string
}

type Loaded = { readonly file: string; readonly sha256: string; readonly line: string }

export type Batch = {
  readonly client: Connection
  readonly query: { readonly mode: Mode; readonly identity: string; readonly onFindings: 'accept' | 'refuse' }
  readonly files: readonly string[]
  readonly wait: boolean
  readonly report: string | undefined
  readonly terminal: Terminal
}

/** Each file once, whatever is repeated: the server knows a certificate that it has accepted. */
export const notarizeMany = async (batch: Batch): Promise<Outcome> => {
  const { files, terminal } = batch
  const report = await openReport<Line>(batch.report)
  const lines = new Map<string, Line>()
  for (let at = 0; at < files.length; ) {
    const { loaded, next } = await loadFrom(batch, at, { report, lines })
    at = next
    let pauseMs = pauses.firstMs
    for (let left: readonly Loaded[] = loaded; left.length > 0; ) {
      for (const answered of await submit(batch, left)) {
        const line = hasFailed(lines.get(answered.file), answered) ? failed(answered) : answered
        lines.set(line.file, line)
        if (line.state !== 'waiting') await report.add(line)
      }
      left = left.filter(({ file }) => ['waiting', undefined].includes(lines.get(file)?.state))
      terminal.progress(`${at - left.length} of ${files.length}`)
      if (left.length > 0) await pause(pauseMs)
      pauseMs = Math.min(pauses.longestMs, 2 * pauseMs)
    }
  }
  return outcomeOf(
    batch,
    files.flatMap((file) => lines.get(file) ?? []),
  )
}

/** A certificate whose notarization failed is accepted once more, by a new job. */
const hasFailed = (before: Line | undefined, { jobId }: Line): boolean =>
  before?.jobId !== undefined && jobId !== undefined && before.jobId !== jobId

const failed = (line: Line): Line => ({
  ...line,
  isDone: false,
  state: 'refused',
  error: 'its notarization failed, and was begun once more: run the command again',
})

/** The next files that must be sent. */
const loadFrom = async (
  { files, wait }: Batch,
  from: number,
  { report, lines }: { readonly report: Report<Line>; readonly lines: Map<string, Line> },
) => {
  const loaded: Loaded[] = []
  let bytes = 0
  let next = from
  while (next < files.length && loaded.length < mostFiles && bytes < mostBytes) {
    const file = files[next] ?? ''
    next += 1
    try {
      const one = await load(file)
      const before = report.doneBefore(file, one.sha256)
      if (before !== undefined && !(wait && before.state === 'accepted')) lines.set(file, before)
      else loaded.push(one)
      bytes += one.line.length
    } catch (error) {
      const line: Line = { file, sha256: '', isDone: false, state: 'refused', error: messageOf(error) }
      lines.set(file, line)
      await report.add(line)
    }
  }
  return { loaded, next }
}

/** In one line: outside of its strings, JSON has line ends only as white space. */
const load = async (file: string): Promise<Loaded> => {
  const { hash, bytes } = await readCertificateFile(file)
  if (hash.kind !== 'json') throw new Error('it is a PDF: submit the JSON of the certificate')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return {
    file,
    sha256,
    line: Buffer.from(bytes)
      .toString('utf8')
      .replaceAll(/[\r\n]+/g, ' '),
  }
}

type Answered = {
  readonly item?: number
  readonly status: number
  readonly answer?: Notarization
  readonly error?: { readonly message: string; readonly details: readonly string[] }
}

const submit = async (
  { client, query, wait }: Batch,
  loaded: readonly Loaded[],
): Promise<readonly Line[]> => {
  const document = new Blob([loaded.map(({ line }) => line).join('\n')], { type: 'application/x-ndjson' })
  const lines = await answeredLines<Answered>(client.notarizeCertificates({ query, document }))
  return lines.flatMap((line) => lineOf(line, loaded, wait))
}

/** None for the last line, which belongs to no file. */
const lineOf = (
  { item = 0, status, answer, error }: Answered,
  loaded: readonly Loaded[],
  wait: boolean,
): readonly Line[] => {
  const of = loaded[item - 1]
  if (of === undefined) return []
  const { file, sha256 } = of
  if (answer === undefined) {
    const said = error?.details.length ? error.details.join('; ') : (error?.message ?? `HTTP ${status}`)
    const state = status === 429 || status === 503 ? 'waiting' : 'refused'
    return [{ file, sha256, isDone: false, state, error: said }]
  }
  const { transactionId, jobId } = answer
  const state = stateOf(answer, wait)
  return [{ file, sha256, isDone: state !== 'waiting', state, jobId, transactionId }]
}

const stateOf = ({ isNewInstance, state }: Notarization, wait: boolean): State => {
  if (!isNewInstance) return 'onLedger'
  if (state === 'awaitingRelease') return 'awaitsRelease'
  return wait ? 'waiting' : 'accepted'
}

const said: Readonly<Record<State, string>> = {
  onLedger: 'on the ledger',
  accepted: 'accepted',
  awaitsRelease: 'waiting for a release by somebody else',
  refused: 'refused',
  waiting: 'not accepted',
}

const outcomeOf = ({ files, terminal }: Batch, lines: readonly Line[]): Outcome => {
  const counts = Object.entries(said).flatMap(([state, words]) => {
    const count = lines.filter((line) => line.state === state).length
    return count === 0 ? [] : [`${count} ${words}`]
  })
  const refused = lines.filter(({ isDone }) => !isDone)
  const details = refused.map(({ file, error = '' }) => `${terminal.bad('✕')} ${file}: ${error}\n`)
  return {
    result: { files: lines },
    text: `${details.join('')}${files.length} files: ${counts.join(', ')}\n`,
    ok: refused.length === 0,
  }
}
