import type {
  CheckedOrder,
  CheckLine,
  InboxAdvice,
  InboxEntry,
  Mode,
  ReadInboxEntry,
  Verification,
} from '@millseal/contract'
import {
  amountsOf,
  type Certificate,
  describeCertificate,
  heatsOf,
  hashRequirement,
  type ReadFile,
  selfCheck,
  summarize,
} from '@millseal/families'
import { Problem } from '../../../lib/problem.ts'
import type { Query } from '../../../ports/database/database.ts'
import { searchWords } from '../certificates/search-words.ts'
import { readDocument } from '../checking/read-document.ts'
import { shownFinding } from '../checking/shown-finding.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { hash } from '../hashing/hash.ts'
import { compareOrder, orderKeysOf } from '../orders/compare-order.ts'
import { checkAgainst } from '../requirements/check-certificate.ts'
import { chooseRequirement } from '../requirements/choose-requirement.ts'
import { resolveIn } from '../requirements/read-requirement.ts'
import { verifyDescribed } from '../verifications/verify.ts'
import { type Changed, findChange } from './find-change.ts'
import type { StoredFiles } from './inbox.store.ts'

export type Check = NonNullable<InboxEntry['check']>
export type Ordered = NonNullable<InboxEntry['order']>

/** What is asked about: an entry, or a file that becomes one. */
export type Asked = {
  readonly companyId: string
  readonly mode: Mode
  readonly fileName: string | null
  /** A PDF is judged by its bytes if it was filed; what was notarized for the company, by its JSON. */
  readonly isFiled: boolean
  readonly against: string | null
}

/** Why there is no check if there is none. */
type Checked = {
  readonly check: Check | undefined
  readonly unchecked: InboxEntry['unchecked']
  readonly lines: ReadInboxEntry['lines']
}

type Judged = {
  readonly verification: Verification
  readonly verdict: InboxEntry['verdict']
  readonly changed: Changed | undefined
  readonly findings: ReadInboxEntry['selfCheck']
}

/** The answers, and what the list shows and finds. */
export type Answers = Checked &
  Judged & {
    readonly advice: InboxAdvice
    readonly order: Ordered | undefined
    /** Of the certificate, for others of the same order line. */
    readonly delivered: ReturnType<typeof deliveredBy>
    /** Of the canonical JSON. */
    readonly hash: string | undefined
    readonly summary: InboxEntry['summary']
    readonly heats: readonly string[]
    readonly words: string
  }

export const answer = async (
  deps: CertificateDependencies,
  asked: Asked,
  files: StoredFiles,
): Promise<Answers> => {
  const certificate = await certificateIn(deps, files)
  const verification = await verifyKept(deps, asked, { certificate, pdf: asked.isFiled ? files.pdf : null })
  const compared = certificate && (await compareOrder(deps.database.query, asked, certificate))
  const order = compared && withCounts(compared)
  const checked = await checkKept(
    deps.database.query,
    { ...asked, named: compared?.requirement },
    certificate,
  )
  const findings = certificate === undefined ? [] : selfCheck(certificate).map(shownFinding)
  const summary = certificate === undefined ? {} : summarize(certificate)
  const heats = certificate === undefined ? [] : heatsOf(certificate).slice(0, mostHeats)
  const judged = { verification, findings, ...(await verdictOn(deps, asked, { verification, certificate })) }
  return {
    ...judged,
    ...checked,
    lines: [...checked.lines, ...(compared?.lines ?? [])],
    order,
    delivered: deliveredBy(certificate),
    advice: adviceOn(asked.mode, judged, [checked.check, order]),
    hash: certificate?.hash,
    summary,
    heats,
    words: searchWords([...Object.values(summary).flat(), ...heats, asked.fileName ?? '']),
  }
}

/** More than a delivery has. */
const mostHeats = 500

/** Undefined for a PDF without a certificate inside. A JSON that is none is refused when it is filed. */
const certificateIn = async (
  deps: CertificateDependencies,
  { body, pdf }: StoredFiles,
): Promise<Certificate | undefined> => {
  if (body === null) return undefined
  try {
    return await readDocument(deps, body)
  } catch (error) {
    if (pdf !== null && error instanceof Problem) return undefined
    throw error
  }
}

/** Asked in the mode of the desk, then in the other one: a test certificate among live ones is recognised. */
const verifyKept = async (
  deps: CertificateDependencies,
  { mode }: Asked,
  { certificate, pdf }: { readonly certificate: Certificate | undefined; readonly pdf: Uint8Array | null },
): Promise<Verification> => {
  const read = readOf(certificate, pdf)
  if (read === undefined) throw new Problem('certificate_erased')
  const found = await verifyDescribed(deps, mode, read)
  if (found.isValid || found.embedded?.isValid === true) return found
  const other = await verifyDescribed(deps, mode === 'live' ? 'test' : 'live', read)
  return other.isValid ? other : found
}

const readOf = (certificate: Certificate | undefined, pdf: Uint8Array | null): ReadFile | undefined => {
  const described = certificate && describeCertificate(certificate)
  if (pdf !== null) return { file: 'pdf', hash: hash(pdf).value, embedded: described }
  return described && { file: 'json', ...described }
}

/**
 * Changed is what something leads from to a notarized original: the certificate inside a PDF, or its number and supplier to one that
 * was notarized for the company.
 */
const verdictOn = async (
  deps: CertificateDependencies,
  asked: Asked,
  {
    verification: { verdict, embedded },
    certificate,
  }: { readonly verification: Verification; readonly certificate: Certificate | undefined },
): Promise<{ readonly verdict: InboxEntry['verdict']; readonly changed: Changed | undefined }> => {
  if (verdict !== 'notFound') return { verdict, changed: undefined }
  if (embedded?.isValid === true) return { verdict: 'altered', changed: undefined }
  const changed = certificate && (await findChange(deps, asked, certificate))
  return { verdict: changed === undefined ? verdict : 'altered', changed }
}

const countsOf = (verdict: Check['verdict'], lines: readonly CheckLine[]) => ({
  lines: lines.length,
  met: lines.filter(({ result }) => result === 'pass').length,
  worst: lines.find(({ result }) => result === verdict && result !== 'pass'),
})

const withCounts = ({
  order,
  lines,
}: {
  readonly order: CheckedOrder
  readonly lines: readonly CheckLine[]
}): Ordered => ({ ...order, ...countsOf(order.verdict, lines) })

const deliveredBy = (certificate: Certificate | undefined) =>
  certificate && { ...orderKeysOf(certificate), amounts: JSON.stringify(amountsOf(certificate)) }

const unchecked = (reason: NonNullable<InboxEntry['unchecked']>): Checked => ({
  check: undefined,
  unchecked: reason,
  lines: [],
})

const checkKept = async (
  query: Query,
  { companyId, against, named }: Asked & { readonly named: string | undefined },
  certificate: Certificate | undefined,
): Promise<Checked> => {
  if (certificate === undefined) return unchecked('noData')
  try {
    const chosen = await chooseRequirement(query, {
      companyId,
      against: against ?? undefined,
      named,
      certificate,
    })
    if (chosen.requirement === undefined) return unchecked(chosen.unchecked)
    const { requirement } = chosen
    const resolved = await resolveIn(query, { requirement, companyId, place: '/against' })
    const { verdict, lines } = checkAgainst(certificate, resolved)
    return {
      check: {
        verdict,
        requirement: {
          name: requirement.name,
          hash: resolved.hash,
          parts: resolved.requirements.map(hashRequirement),
        },
        ...countsOf(verdict, lines),
      },
      unchecked: undefined,
      lines,
    }
  } catch (error) {
    if (error instanceof Problem && error.code === 'requirement_invalid')
      return unchecked('requirementInvalid')
    throw error
  }
}

/** Of something that must not be used, whatever it says. */
export const badVerdicts: readonly string[] = ['altered', 'refused', 'replaced', 'withdrawn', 'revoked']

/** The worst of the answers. What is not known, and what no requirement was found for, is never good. */
const adviceOn = (
  mode: Mode,
  { verification: { answers, mode: verifiedIn }, verdict, findings }: Judged,
  compared: readonly [Check | undefined, Ordered | undefined],
): InboxAdvice => {
  const isTestAmongLive = mode === 'live' && verdict === 'test'
  if (
    badVerdicts.includes(verdict ?? '') ||
    isTestAmongLive ||
    compared.some((one) => one?.verdict === 'fail')
  )
    return 'doNotAccept'
  // A test certificate has no better verdict.
  const isGenuineTest = verifiedIn === 'test' && answers?.issuer === 'yes' && answers.status === 'yes'
  const isGenuine = verdict === 'genuine' || (verdict === 'test' && isGenuineTest)
  const [check, order] = compared
  const isAsOrdered = order === undefined || order.verdict === 'pass'
  const isMet = check?.verdict === 'pass' && isAsOrdered && findings.length === 0
  return isGenuine && isMet ? 'meetsEverything' : 'look'
}
