import type { Transaction } from '../../../ports/database/database.ts'
import { plainLine } from '@millseal/proof'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { type Answers, answer } from './answers.ts'
import {
  findDueEntries,
  findEntriesOf,
  findOpenEntries,
  lockEntry,
  saveAnswers,
  saveEntry,
  saveVerification,
} from './answers.store.ts'
import { raiseAlarm } from './alarm.ts'
import { filterKey } from './filter-key.ts'
import { findEntry, findFiles, insertFiles, type StoredEntry } from './inbox.store.ts'

const dayMs = 86_400_000
const yearDays = 365
const batch = 200

export const dailyQuestion: JobKind<object> = {
  name: 'inbox-daily-question',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 3_000,
}

/** Answers the entries of certificates that were notarized or corrected. */
export const answerAbout = async (
  deps: CertificateDependencies,
  { data, signal }: Job<{ readonly certificateIds: readonly string[] }>,
): Promise<void> => {
  for (const id of await findEntriesOf(deps.database.query, data.certificateIds)) {
    signal.throwIfAborted()
    await answerEntry(deps, id)
  }
}

/** Checks what is open again. What was decided keeps what it was decided with. */
export const answerOpen = async (
  deps: CertificateDependencies,
  { data: { companyId, orderKey }, signal }: Job<{ readonly companyId: string; readonly orderKey?: string }>,
): Promise<void> => {
  let after: string | undefined
  do {
    const ids = await findOpenEntries(deps.database.query, { companyId, orderKey, after, limit: batch })
    for (const id of ids) {
      signal.throwIfAborted()
      await answerEntry(deps, id)
    }
    after = ids.length < batch ? undefined : ids.at(-1)
  } while (after !== undefined)
}

export const answerDue = async (deps: CertificateDependencies, { signal }: Job<object>): Promise<void> => {
  const now = deps.clock.now()
  const due = {
    askedBefore: new Date(now - dayMs),
    createdAfter: new Date(now - yearDays * dayMs),
    limit: batch,
  }
  const failed = new Set<string>()
  for (;;) {
    const ids = (await findDueEntries(deps.database.query, due)).filter((id) => !failed.has(id))
    if (ids.length === 0 || signal.aborted) return
    for (const id of ids)
      await answerEntry(deps, id).catch((error: unknown) => {
        failed.add(id)
        deps.log.warn({ inbox: id, err: error }, 'a received certificate could not be checked again')
      })
  }
}

/** Asks all questions again, and keeps the answers. */
export const answerEntry = async (deps: CertificateDependencies, id: string): Promise<void> => {
  const { query } = deps.database
  const entry = await findEntry(query, id)
  if (entry === undefined) return
  const files = await findFiles(query, entry)
  // The issuer's retention ended before this was answered for the first time.
  if (files.body === null && files.pdf === null)
    return saveEntry(query, id, { askedAt: new Date(deps.clock.now()) })
  const answers = await answer(deps, { ...entry, isFiled: entry.source === 'filed' }, files)
  await deps.database.transaction(async (tx) => {
    if (!files.isKept) await insertFiles(tx, id, files)
    await keepAnswers(deps, tx, { id, against: entry.against, answers })
  })
}

/** Of a decided entry only whether it is still valid. A requirement that was chosen in between is answered by who chose it. */
export const keepAnswers = async (
  deps: CertificateDependencies,
  tx: Transaction,
  {
    id,
    against,
    answers,
  }: { readonly id: string; readonly against: string | null; readonly answers: Answers },
): Promise<void> => {
  const entry = await lockEntry(tx, id)
  if (entry === undefined) return
  const { verification, verdict = null } = answers
  const { delivered } = answers
  const asked = { verdict, issuer: issuerOf(answers), askedAt: new Date(deps.clock.now()), ...delivered }
  if (entry.state !== 'new') {
    await saveEntry(tx, id, asked)
    await saveVerification(tx, { inboxId: id, verification: JSON.stringify(verification) })
    return raiseAlarm(deps, tx, { entry, verdict })
  }
  if (entry.against !== against) return
  await saveEntry(tx, id, { ...asked, ...shownOf(answers) })
  await saveAnswers(tx, {
    inboxId: id,
    verification: JSON.stringify(verification),
    lines: JSON.stringify(answers.lines),
    findings: JSON.stringify(answers.findings),
  })
}

const issuerOf = ({ verification: { issuer, company } }: Answers): string | null => {
  const name = issuer?.name ?? company?.name
  return name === undefined ? null : plainLine(name)
}

const shownOf = (answers: Answers): Partial<StoredEntry> => {
  const { summary, heats, hash = null, check, order, changed, unchecked = null } = answers
  const { findings, words, advice } = answers
  return {
    summary: JSON.stringify(summary),
    number: filterKey(summary.identifier),
    supplier: filterKey(summary.sellerName),
    heats: heats.map(filterKey),
    words,
    advice,
    hash,
    checked: check === undefined ? null : JSON.stringify(check),
    ordered: order === undefined ? null : JSON.stringify(order),
    changed: changed === undefined ? null : JSON.stringify(changed),
    unchecked,
    findings: findings.length,
  }
}
