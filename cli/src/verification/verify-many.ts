import { createHash } from 'node:crypto'
import {
  headlineOf,
  type JsonValue,
  type Reading,
  type TrustPolicy,
  plainLine,
  type Verdict,
} from '@millseal/proof/verifier'
import type { Outcome } from '../frame/command.ts'
import { messageOf } from '../frame/error-message.ts'
import { openReport, type Report, type Reported } from '../frame/report.ts'
import type { Paint, Terminal } from '../frame/terminal.ts'
import { exitCodeIn, refusalOfMode } from './expected-mode.ts'
import { fetchTogether } from './fetch-bundles.ts'
import type { Mode } from './fetch-proof.ts'
import { findBundle } from './find-bundle.ts'
import { readCertificateFile } from './read-file.ts'
import { verifyFile } from './verify-file.ts'

/** As many proofs as a server gives at once, and fewer if nodes may be asked: they get a request for each. */
const atOnce = 100
const atOnceWithNodes = 20

type Line = Reported & {
  readonly verdict: Verdict
  readonly exitCode: number
  /** The headline, and why. */
  readonly says: string
  readonly notes?: readonly string[] | undefined
}

type Many = {
  readonly files: readonly string[]
  readonly server: string
  readonly mode: Mode
  /** The mode that the user named. */
  readonly expected: Mode | undefined
  readonly policy: TrustPolicy
  /** Addresses of nodes; undefined if none shall be asked. */
  readonly nodes: readonly string[] | undefined
  readonly reading: Reading
  readonly report: string | undefined
  readonly terminal: Terminal
}

/** From the worst to the best. */
const exitCodes = [1, 4, 5, 3, 6, 0] as const

/** Each file as if it had been verified alone; the worst of them is the exit code. */
export const verifyMany = async (many: Many): Promise<Outcome> => {
  const { files, terminal } = many
  const report = await openReport<Line>(many.report)
  const find = fetchTogether(many.server, many.mode)
  const lines: Line[] = []
  const count = many.nodes === undefined ? atOnce : atOnceWithNodes
  for (let at = 0; at < files.length; at += count) {
    const group = files.slice(at, at + count)
    for (const { line, isNew } of await Promise.all(
      group.map((file) => verifyOne(many, { file, find, report })),
    )) {
      lines.push(line)
      if (isNew) await report.add(line)
    }
    terminal.progress(`${lines.length} of ${files.length}`)
  }
  const worst = exitCodes.find((code) => lines.some(({ exitCode }) => exitCode === code)) ?? 5
  return { result: { files: lines }, text: textOf(lines, terminal), exitCode: worst }
}

const verifyOne = async (
  many: Many,
  {
    file,
    find,
    report,
  }: {
    readonly file: string
    readonly find: ReturnType<typeof fetchTogether>
    readonly report: Report<Line>
  },
): Promise<{ readonly line: Line; readonly isNew: boolean }> => {
  try {
    const certificate = await readCertificateFile(file)
    const sha256 = createHash('sha256').update(certificate.bytes).digest('hex')
    const before = report.doneBefore(file, sha256)
    if (before !== undefined) return { line: before, isNew: false }
    const { policy, reading, expected } = many
    const notes: string[] = []
    const note = (words: readonly string[]): void =>
      void notes.push(...words.map((one) => plainLine(one, 1_000)))
    const serve = async (hash: string): Promise<JsonValue | undefined> => {
      const found = await find(hash)
      note(found.notes)
      return found.bundle
    }
    const verification = await verifyFile({
      file: certificate,
      policy,
      reading,
      findBundle: (hash) => findBundle(hash, { ...many, given: undefined, serve, onAsked: note }),
    })
    const { verdict } = verification
    const exitCode = exitCodeIn(verification, expected)
    const refusal = refusalOfMode(verification, expected)
    const { says, why } = headlineOf(verification)
    const line = { file, sha256, isDone: true, verdict, exitCode, says: `${says}. ${refusal ?? why}` }
    return { line: { ...line, notes: notes.length === 0 ? undefined : notes }, isNew: true }
  } catch (error) {
    const unchecked = { sha256: '', isDone: false, verdict: 'unchecked', exitCode: 5 } as const
    return { line: { file, ...unchecked, says: `NOT CHECKED: ${messageOf(error)}` }, isNew: true }
  }
}

const textOf = (lines: readonly Line[], terminal: Terminal): string => {
  const paints: Readonly<Record<number, Paint>> = {
    0: terminal.good,
    3: terminal.caution,
    6: terminal.caution,
  }
  const shown = lines.flatMap(({ file, exitCode, says, notes = [] }) => [
    `${file}: ${(paints[exitCode] ?? terminal.bad)(says)}`,
    ...notes.map((note) => `  ${note}`),
  ])
  const genuine = lines.filter(({ exitCode }) => exitCode === 0).length
  return `${shown.join('\n')}\n\n${lines.length} files: ${genuine} genuine, ${lines.length - genuine} not\n`
}
