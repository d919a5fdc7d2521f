import type { CompanyReference, Mode } from '@millseal/contract'
import { signerOf } from '@millseal/proof'
import type { Wording } from '../../../lib/mail-languages.ts'
import { oneLine, renderMail, timeOf, unsubscribeLink, withoutLinks } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { type MailBody, type MailFrame, sendCompanyMail } from '../../user/index.ts'
import type { KmDependencies } from '../dependencies.ts'
import { findOwners, markForeignNameMail } from './log-mentions.store.ts'
import type { FoundEntry } from './mentions-of.ts'
import { entriesPath } from './entries-page.ts'

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
    const [[company] = []] = await deps.users.findCompaniesByVatIds(tx, [{ vatIds, mode: 'test' }])
    if (company === undefined || (signer !== undefined && owners.get(signer) === company.id)) continue
    if (!(await markForeignNameMail(tx, { companyId: company.id, mode, now: new Date(deps.clock.now()) })))
      continue
    const subject = { companyId: company.id, mode, kind: 'foreign_name', about: transaction.id } as const
    const addresses = await addressesOf(deps, tx, company.id)
    const mails = (await deps.users.admitMails(tx, [{ subject, addresses }])).flat()
    for (const { address, heldBack } of mails) {
      if (heldBack !== null) continue
      const mail = { companyId: company.id, mode, transactionId: transaction.id, address }
      await deps.jobs.enqueue(tx, foreignNameMail, mail)
    }
  }
}

const addressesOf = async (
  { users }: KmDependencies,
  tx: Transaction,
  companyId: string,
): Promise<readonly string[]> => [
  ...(await users.findContacts(tx, companyId)),
  ...(await users.findAdmins(companyId)).map(({ email }) => email),
]

export const sendForeignNameMail = async (
  deps: KmDependencies,
  { data: { companyId, mode, transactionId, address } }: Job<ForeignNameMail>,
): Promise<void> => {
  const company = await deps.users.findCompany(deps.database.query, companyId)
  const entry = await deps.ledgers.embedded(mode).find(transactionId)
  if (company === undefined || entry?.transaction.operation !== 'CREATE') return
  const { transaction, timestamp } = entry
  const { data } = transaction.asset
  await sendCompanyMail(
    deps,
    { companyId, mode, kind: 'foreign_name', about: transactionId, address },
    (frame) => compose(deps, { mode, company, transaction, data: data ?? {}, timestamp, frame }),
  )
}

type Found = {
  readonly mode: Mode
  readonly company: CompanyReference
  readonly transaction: FoundEntry['transaction']
  readonly data: Readonly<Record<string, unknown>>
  readonly timestamp: Date | undefined
  readonly frame: MailFrame
}

const compose = (
  deps: KmDependencies,
  { mode, company: { name: ownName, vatId }, transaction, data, timestamp, frame }: Found,
): MailBody => {
  const { type, company: name } = data
  const { language } = frame
  const heading: Wording = {
    en: 'Somebody used your VAT id on the ledger',
    de: 'Jemand hat Ihre Umsatzsteuer-ID im Ledger verwendet',
  }
  const what =
    type === 'review' ? { en: 'a review', de: 'eine Prüfung' } : { en: 'an identity', de: 'eine Identität' }
  const own = `${oneLine(ownName)} (${vatId})`
  const { text, html } = renderMail({
    languages: [language],
    heading,
    before: [
      {
        en: `Somebody recorded ${what.en} on the ${mode} ledger that names the VAT id of ${own}. No key of your company signed it.`,
        de: `Jemand hat im Ledger des ${mode === 'test' ? 'Testmodus' : 'Live-Modus'} ${what.de} eingetragen, in der die Umsatzsteuer-ID von ${own} steht. Kein Schlüssel Ihrer Firma hat sie signiert.`,
      },
    ],
    facts: [
      [{ en: 'Name', de: 'Name' }, typeof name === 'string' ? withoutLinks(oneLine(name)) : undefined],
      [{ en: 'Key', de: 'Schlüssel' }, signerOf(transaction)],
      [{ en: 'Recorded', de: 'Eingetragen' }, timestamp && timeOf(timestamp)],
      [{ en: 'Transaction', de: 'Transaktion' }, transaction.id],
    ],
    after: [
      {
        en: 'Verifications do not name your company for this key: only the operator of the ledger can confirm whose key it is.',
        de: 'Prüfungen nennen Ihre Firma bei diesem Schlüssel nicht: Nur der Betreiber des Ledgers kann bestätigen, wem ein Schlüssel gehört.',
      },
      {
        en: 'If one of your systems made this entry, publish its identity here. Otherwise watch what this key signs. There is one such mail a day at most; the page shows all entries.',
        de: 'Wenn eines Ihrer Systeme diesen Eintrag erzeugt hat, veröffentlichen Sie dessen Identität hier. Beobachten Sie sonst, was dieser Schlüssel signiert. Es gibt höchstens eine solche E-Mail am Tag; die Seite zeigt alle Einträge.',
      },
    ],
    button: {
      label: { en: 'Show all entries', de: 'Alle Einträge zeigen' },
      url: `${deps.publicUrl()}${entriesPath(mode, vatId)}`,
    },
    why: {
      en: 'You receive this mail because you are a contact or an admin of this company.',
      de: 'Sie erhalten diese E-Mail, weil Sie Kontakt dieser Firma sind oder sie verwalten.',
    },
    unsubscribe: unsubscribeLink(frame),
  })
  const test = mode === 'test' ? '[TEST] ' : ''
  return { subject: `${test}${heading[language]}: ${vatId}`, text, html }
}
