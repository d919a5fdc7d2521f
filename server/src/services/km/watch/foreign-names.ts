import type { Mode } from '@millseal/contract'
import { signerOf } from '@millseal/proof'
import { oneLine } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findOwners, markForeignNameMail } from './log-mentions.store.ts'
import type { FoundEntry } from './mentions-of.ts'

type ForeignNameMail = {
  readonly companyId: string
  readonly mode: Mode
  readonly transactionId: string
  readonly address: string
}

export const foreignNameMail: JobKind<ForeignNameMail> = {
  name: 'km-foreign-name-mail',
  retries: 12,
  backoffSeconds: 10,
  expireSeconds: 60,
}

/**
 * Tells a company that an entry names its VAT id, unless one of its own keys or the operator of the log signed it. Once a
 * day at most: in an open log, anybody can make such entries.
 */
export const reportForeignNames = async (
  deps: KmDependencies,
  tx: Transaction,
  { mode, found }: { readonly mode: Mode; readonly found: readonly FoundEntry[] },
): Promise<void> => {
  const named = found.filter(({ mentions }) => mentions.vatId !== undefined)
  if (named.length === 0) return
  const signers = named.flatMap(({ transaction }) => signerOf(transaction) ?? [])
  const owners = await findOwners(tx, { mode, dids: [...new Set(signers)] })
  const operator = await deps.ledgers.embedded(mode).operator?.did()
  for (const { transaction, mentions } of named) {
    const signer = signerOf(transaction)
    if (mentions.kind === 'review' && signer !== undefined && signer === operator) continue
    const vatIds = mentions.vatId === undefined ? [] : [mentions.vatId]
    // In either mode: a company need not be verified to be told what is said about it.
    const [company] = await deps.users.findCompaniesByVatIds(tx, { vatIds, mode: 'test' })
    if (company === undefined || (signer !== undefined && owners.get(signer) === company.id)) continue
    if (!(await markForeignNameMail(tx, { companyId: company.id, mode, now: new Date(deps.clock.now()) })))
      continue
    for (const address of await addressesOf(deps, tx, company.id)) {
      const mail = { companyId: company.id, mode, transactionId: transaction.id, address }
      await deps.jobs.enqueue(tx, foreignNameMail, mail)
    }
  }
}

const addressesOf = async (
  { users }: KmDependencies,
  tx: Transaction,
  companyId: string,
): Promise<ReadonlySet<string>> =>
  new Set(
    [
      ...(await users.findContacts(tx, companyId)),
      ...(await users.findAdmins(companyId)).map(({ email }) => email),
    ].map((address) => address.trim().toLowerCase()),
  )

export const sendForeignNameMail = async (
  deps: KmDependencies,
  { id, data: { companyId, mode, transactionId, address } }: Job<ForeignNameMail>,
): Promise<void> => {
  const company = await deps.users.findCompany(deps.database.query, companyId)
  const entry = await deps.ledgers.embedded(mode).find(transactionId)
  if (company === undefined || entry?.transaction.operation !== 'CREATE') return
  const data = entry.transaction.asset.data ?? {}
  const { type, company: name } = data
  const text = [
    `Somebody recorded ${type === 'review' ? 'a review' : 'an identity'} on the ${mode} ledger that names the VAT id of ${oneLine(company.name)} (${company.vatId}). No key of your company signed it.`,
    '',
    `Name          ${typeof name === 'string' ? oneLine(name) : 'none'}`,
    `Key           ${signerOf(entry.transaction) ?? 'several'}`,
    `Recorded      ${entry.timestamp?.toISOString() ?? 'at an unknown time'}`,
    `Transaction   ${transactionId}`,
    '',
    'Verifications do not name your company for this key: only the operator of the ledger can confirm whose key it is.',
    'If one of your systems made this entry, publish its identity here. Otherwise watch what this key signs. There is one such mail a day at most; the feed has all entries:',
    '',
    `${deps.publicUrl()}/ledger/${mode}/feed?vatId=${encodeURIComponent(company.vatId)}`,
  ].join('\n')
  await deps.mailer
    .send({
      id,
      to: [{ address }],
      subject: `${mode === 'test' ? '[TEST] ' : ''}Somebody used your VAT id on the ledger`,
      text,
    })
    .catch((error: unknown) => {
      if (!(error instanceof MailRefused)) throw error
      deps.log.warn({ companyId, reason: error.message }, 'a mail about an entry of the ledger was refused')
    })
}
