import { numberIn } from '../../../lib/mail-languages.ts'
import { oneLine } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import { mailJob, openMillseal, sendMail } from './account-mail.ts'
import { findUser } from '../users/users.store.ts'
import { findCompanies } from '../companies/companies.store.ts'
import { findActiveAdmins } from '../companies/company-contacts.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findMailingCompany } from './company-mails.store.ts'

type QuotaJob = { readonly companyId: string; readonly userId: string }

export const quotaMail = mailJob<QuotaJob>('company-quota-mail')

export const enqueueQuotaMails = async (
  { jobs }: UserDependencies,
  tx: Transaction,
  companyId: string,
): Promise<void> => {
  const { members } = await findMailingCompany(tx, companyId)
  const mailed = new Set(members.map(({ address }) => address))
  for (const { id, email } of await findActiveAdmins(tx, companyId))
    if (mailed.has(email.toLowerCase())) await jobs.enqueue(tx, quotaMail, { companyId, userId: id })
}

export const sendQuotaMail = async (deps: UserDependencies, { id, data }: Job<QuotaJob>): Promise<void> => {
  const { query } = deps.database
  const [company] = await findCompanies(query, { id: data.companyId })
  const user = await findUser(query, data.userId)
  if (company === undefined || user === undefined) return
  const name = oneLine(company.name)
  await sendMail(deps, {
    id,
    user,
    address: user.email,
    subject: {
      en: `Your company has sent all its mails of today: ${name}`,
      de: `Ihre Firma hat alle E-Mails für heute versendet: ${name}`,
    },
    before: [
      {
        en: `The quota of ${numberIn('en', deps.mailsPerDay)} mails for today (UTC) is used up. Further mails about certificates and events are not sent today. Notarizations, webhooks and mails with warnings continue.`,
        de: `Das Kontingent von ${numberIn('de', deps.mailsPerDay)} E-Mails für heute (UTC) ist verbraucht. Weitere E-Mails zu Zeugnissen und Ereignissen werden heute nicht versendet. Notarisierungen, Webhooks und Warnungen sind davon nicht betroffen.`,
      },
      {
        en: 'Each certificate lists the addresses that got no mail. Ask the operator of this service if you need a larger quota.',
        de: 'Bei jedem Zeugnis sehen Sie, welche Adressen keine E-Mail erhalten haben. Wenn Sie ein größeres Kontingent brauchen, wenden Sie sich an den Betreiber dieses Dienstes.',
      },
    ],
    facts: [[{ en: 'Company', de: 'Firma' }, `${name} (${company.vatId})`]],
    button: openMillseal(deps, company.id),
    after: [],
    why: {
      en: 'You receive this mail because you are an admin of this company. There is one such mail a day at most.',
      de: 'Sie erhalten diese E-Mail, weil Sie diese Firma verwalten. Sie kommt höchstens einmal am Tag.',
    },
  })
}
