import { oneLine } from '../../../lib/mail-layout.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import type { FourEyesNotice } from '../companies/change-four-eyes.ts'
import { findCompanies } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findUser } from '../users/users.store.ts'
import { openMillseal, sendMail, whySecurity } from './account-mail.ts'

export const sendFourEyesNotice = async (
  deps: UserDependencies,
  { id, data: { userId, companyId, changedBy } }: Job<FourEyesNotice>,
): Promise<void> => {
  const user = await findUser(deps.database.query, userId)
  const changer = await findUser(deps.database.query, changedBy)
  const [company] = await findCompanies(deps.database.query, { id: companyId })
  if (user === undefined || company === undefined) return
  await sendMail(deps, {
    id,
    user,
    address: user.email,
    subject: {
      en: 'Fewer certificates wait for a release',
      de: 'Weniger Zeugnisse warten auf eine Freigabe',
    },
    before: [
      {
        en: 'An admin of this company changed whose certificates a second person must release. Certificates that wait already still need a release.',
        de: 'Ein Administrator dieser Firma hat geändert, wessen Zeugnisse eine zweite Person freigeben muss. Zeugnisse, die schon warten, brauchen die Freigabe weiterhin.',
      },
      {
        en: 'If nobody told you why, ask the admins of the company now.',
        de: 'Wenn Ihnen niemand den Grund genannt hat, fragen Sie jetzt die Administratoren der Firma.',
      },
    ],
    facts: [
      [{ en: 'Company', de: 'Firma' }, oneLine(company.name)],
      [{ en: 'Changed by', de: 'Geändert von' }, oneLine(changer?.username ?? changedBy)],
    ],
    button: openMillseal(deps, companyId),
    after: [],
    why: whySecurity,
  })
}
