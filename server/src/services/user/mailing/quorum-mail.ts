import type { Mode } from '@millseal/contract'
import { paths } from '../../../http/pages/links.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import { timeOf } from '../../../lib/mail-layout.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findOperators, findUser } from '../users/users.store.ts'
import { mailJob, sendMail } from './account-mail.ts'

export type QuorumNews = {
  readonly mode: Mode
  readonly state: 'lost' | 'back'
  readonly lostAt: string
}

export const quorumMail = mailJob<QuorumNews & { readonly userId: string }>('operator-quorum-mail')

export const enqueueQuorumMails = async (
  { jobs }: UserDependencies,
  tx: Transaction,
  news: QuorumNews,
): Promise<void> =>
  await jobs.enqueueAll(
    tx,
    quorumMail,
    (await findOperators(tx)).map(({ id }) => ({ ...news, userId: id })),
  )

const words: Readonly<
  Record<
    QuorumNews['state'],
    (mode: Mode) => { readonly subject: Wording; readonly before: readonly Wording[] }
  >
> = {
  lost: (mode) => ({
    subject: {
      en: `No quorum confirms the ${mode} log any more`,
      de: `Kein Quorum bestätigt mehr das Log des ${modeIn[mode]}`,
    },
    before: [
      {
        en: 'Too few of the organisations in your file of cosigners sign its checkpoints. Entries are still recorded, nothing fails and nothing is lost: they are confirmed as soon as a quorum signs again.',
        de: 'Zu wenige der Organisationen in Ihrer Datei der Mitunterzeichner signieren seine Checkpoints. Neues wird weiterhin eingetragen, nichts schlägt fehl und nichts geht verloren: Alles wird bestätigt, sobald wieder ein Quorum signiert.',
      },
      {
        en: 'With MILLSEAL_CONFIRM=quorum, certificates wait until then. The page Health and GET /api/ready name the cosigner that does not answer, and why.',
        de: 'Mit MILLSEAL_CONFIRM=quorum warten Zeugnisse bis dahin. Der Systemstatus und GET /api/ready nennen den Mitunterzeichner, der nicht antwortet, und den Grund.',
      },
    ],
  }),
  back: (mode) => ({
    subject: {
      en: `A quorum confirms the ${mode} log again`,
      de: `Ein Quorum bestätigt wieder das Log des ${modeIn[mode]}`,
    },
    before: [
      {
        en: 'Everything recorded in the meantime is confirmed. You do not need to do anything.',
        de: 'Alles, was inzwischen eingetragen wurde, ist bestätigt. Sie müssen nichts tun.',
      },
    ],
  }),
}

const modeIn: Readonly<Record<Mode, string>> = { test: 'Testmodus', live: 'Live-Modus' }

export const sendQuorumMail = async (
  deps: UserDependencies,
  { id, data: { userId, mode, state, lostAt } }: Job<QuorumNews & { readonly userId: string }>,
): Promise<void> => {
  const user = await findUser(deps.database.query, userId)
  if (user === undefined) return
  await sendMail(deps, {
    id,
    user,
    address: user.email,
    ...words[state](mode),
    facts: [[{ en: 'No quorum since', de: 'Ohne Quorum seit' }, timeOf(new Date(lostAt))]],
    button: {
      label: { en: 'Open Health', de: 'Systemstatus öffnen' },
      url: `${deps.publicUrl()}${paths.console}operator/health`,
    },
    after: [],
    why: {
      en: 'You receive this mail because you are an operator of this service. There is one when a quorum is missing for five minutes, and one when it is back.',
      de: 'Sie erhalten diese E-Mail, weil Sie diesen Dienst betreiben. Es gibt eine, wenn fünf Minuten lang ein Quorum fehlt, und eine, wenn es wieder da ist.',
    },
  })
}
