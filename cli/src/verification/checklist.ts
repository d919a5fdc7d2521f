import {
  alphabetRemark,
  type Check,
  type CheckName,
  headlineOf,
  type Outcome,
  plainLine,
  type Tone,
  type TrustPolicy,
} from '@millseal/proof/verifier'
import type { Stamped } from '@millseal/proof'
import type { Paint, Terminal } from '../frame/terminal.ts'
import type { Mode } from './fetch-proof.ts'
import type { CertificateFile } from './read-file.ts'
import { type FileVerification, isOnLedger, type Verification } from './verify-file.ts'

type Context = {
  readonly terminal: Terminal
  /** The server that gave the bundle; undefined if the user gave it. */
  readonly source: { readonly server: string; readonly mode: Mode } | undefined
  /** The server that gave the log key itself. */
  readonly trusted: string | undefined
  /** The policy of the user. */
  readonly policy: string | undefined
  /** Whether the policy has the key of a log. */
  readonly trustsLog: boolean
  /** The mode whose ledger contains the certificate, if it is not the requested one. */
  readonly elsewhere: Mode | undefined
  /** Why the certificate is not of the mode that the user asked for. */
  readonly otherMode: string | undefined
  /** What the server adds to the bundle, in sentences. */
  readonly notes: readonly string[]
  /** What authorities say of the time; undefined if the user named none. */
  readonly stamps: readonly Stamped[] | undefined
  /** The seal of the PDF in words; undefined without one. */
  readonly seal: { readonly outcome: Outcome; readonly says: string } | undefined
}

export const checklist = (path: string, verification: Verification, context: Context): string => {
  const { terminal, trusted, trustsLog, otherMode } = context
  const { embedded } = verification
  const lines = [...linesOf(path, verification, context), ...stampLines(context), ...sealLines(context)]
  if (otherMode !== undefined) lines.push('', terminal.bad(otherMode))
  if (embedded !== undefined && embedded.checks.length > 0) {
    lines.push(
      '',
      embedded.answers.unchanged === 'yes'
        ? 'The PDF was changed, or saved again, after it was notarized. The certificate (JSON) inside it:'
        : 'The PDF is not the notarized one. The certificate (JSON) inside it:',
      ...linesOf('the embedded certificate', embedded, context),
    )
  }
  if (!trustsLog) {
    lines.push(
      '',
      terminal.faint(
        'Pass a policy with --policy. `millseal verify <file> --save-policy policy.json`, without --bundle, saves the key that the server gives for its log.',
      ),
    )
  }
  if (trusted !== undefined && isOnLedger(verification)) {
    lines.push(
      '',
      terminal.faint(
        `The key of the log comes from ${trusted} itself. Compare it with the key that the operator publishes.`,
      ),
    )
  }
  return `${lines.join('\n')}\n`
}

const linesOf = (what: string, verification: FileVerification, context: Context) => {
  const { terminal, source, elsewhere, notes } = context
  const { checks, file, remark } = verification
  const { tone, says, why } = headlineOf(verification)
  const headline = `${what}${byWhom(context)}: ${paintOf(tone, terminal)(says)}`
  if (verification.verdict !== 'notFound')
    return [
      headline,
      `  ${why}`,
      // The service may say the same of the name.
      ...new Set(
        [remark ?? [], alphabetRemark(verification) ?? [], notes].flat().map((said) => `  ${said}.`),
      ),
      '',
      ...checks.map((check) => checkLine(check, terminal)),
    ]
  const where = source === undefined ? 'The bundle' : `The ${source.mode} ledger of ${source.server}`
  return [
    headline,
    `  ${where} does not contain this ${file.kind.toUpperCase()} (SHA-256 ${file.hash}).`,
    `  ${whyUnknown(elsewhere)}`,
    ...(remark === undefined ? [] : [`  ${remark}.`]),
    ...checks.map((check) => checkLine(check, terminal)),
  ]
}

/** The headline names the source of trust: the command has none of its own. */
const byWhom = ({ policy, trusted }: Context): string => {
  if (policy !== undefined) return ` (by your policy ${plainLine(policy, 80)})`
  return trusted === undefined ? '' : ` (by the log key of ${trusted})`
}

const paintOf = (tone: Tone, { good, bad, caution, faint }: Terminal): Paint =>
  ({ good, bad, caution, none: faint })[tone]

const whyUnknown = (elsewhere: Mode | undefined): string => {
  if (elsewhere === undefined) return 'It was changed, or never notarized there.'
  const meaning = elsewhere === 'test' ? ', so it does not describe real material' : ''
  return `It was notarized in ${elsewhere} mode${meaning}. To verify it there, use --mode ${elsewhere}.`
}

const marks: Readonly<Record<Outcome, string>> = { passed: '✓', failed: '✗', unknown: '–' }
const labels: Readonly<Record<CheckName, string>> = {
  bundle: 'Bundle',
  file: 'File',
  transaction: 'Transaction',
  log: 'Log',
  issuer: 'Issuer',
  time: 'Time',
  status: 'Status',
  confirmation: 'Confirmed',
}

const checkLine = ({ name, outcome, says }: Check, terminal: Terminal): string =>
  lineOf(labels[name], { outcome, says, terminal })

const lineOf = (
  label: string,
  {
    outcome,
    says,
    terminal: { good, bad, caution },
  }: { readonly outcome: Outcome; readonly says: string; readonly terminal: Terminal },
): string => {
  const paint = { passed: good, failed: bad, unknown: caution }[outcome]
  return `  ${paint(marks[outcome])} ${label.padEnd(12)} ${says}`
}

/** One for each authority. */
const stampLines = ({ stamps, terminal }: Context): readonly string[] => {
  if (stamps === undefined) return []
  const label = 'Time stamp'
  if (stamps.length === 0)
    return [lineOf(label, { outcome: 'unknown', says: 'None by an authority that you trust', terminal })]
  return stamps.map(({ authority, before }) =>
    lineOf(label, { outcome: 'passed', says: `Recorded before ${before}, says ${authority}`, terminal }),
  )
}

const sealLines = ({ seal, terminal }: Context): readonly string[] =>
  seal === undefined ? [] : [lineOf('Seal', { ...seal, terminal })]

const mark = '/ETSI.CAdES.detached'

/** The seal of a PDF and its line for people. Most have none, and then the command loads nothing that reads it. */
export const sealOf = async (
  { hash, bytes }: CertificateFile,
  { roots, policy }: { readonly roots: string | undefined; readonly policy: TrustPolicy },
) => {
  if (hash.kind !== 'pdf' || !Buffer.from(bytes).includes(mark)) return undefined
  const { readSeal, sealWords } = await import('./read-seal.ts')
  const result = await readSeal(bytes, roots, policy)
  if (result === undefined) return undefined
  const outcome = result.isIntact ? ('passed' as const) : ('failed' as const)
  return { result, line: { outcome, says: sealWords(result) } }
}
