import type { Mode } from '@millseal/contract'
import { paths } from '../../../http/pages/links.ts'
import { userIdIn } from '../../../http/principal.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import { oneLine, renderMail, unsubscribeLink } from '../../../lib/mail-layout.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { type MailBody, type MailFrame, type Releaser, sendCompanyMail } from '../../user/index.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findWaitingReleases, type WaitingReleases } from './waiting-releases.store.ts'

const hourMs = 3_600_000
/** Longer than the transaction takes that accepts a certificate. */
const acceptanceMs = 60_000

type ReleaseNotice = { readonly companyId: string }

/** Something waits for a release. */
export const releaseNotice: JobKind<ReleaseNotice> = {
  name: 'certificate-release-notice',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

type ReleaseMail = {
  readonly companyId: string
  readonly mode: Mode
  readonly about: string
  readonly address: string
  readonly count: number
}

export const releaseMail: JobKind<ReleaseMail> = {
  name: 'certificate-release-mail',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

/**
 * Mails everybody who may release something that was submitted since the last such mail, at most once an hour: what comes
 * sooner is mailed when the hour is over, if it still waits.
 */
export const noticeReleases = (
  deps: CertificateDependencies,
  { id: about, data: { companyId } }: Job<ReleaseNotice>,
): Promise<void> =>
  deps.database.transaction(async (tx) => {
    const { users, jobs } = deps
    await users.lockCompany(tx, companyId)
    const waiting = await findWaitingReleases(tx, companyId)
    const last = await users.findLastMail(tx, { companyId, kind: 'release' })
    const mailedUntil = last === undefined ? -Infinity : last.getTime() - acceptanceMs
    if (!waiting.some(({ newest }) => newest.getTime() > mailedUntil)) return
    const restMs = last === undefined ? 0 : last.getTime() + hourMs - deps.clock.now()
    if (restMs > 0) {
      const later = { singletonKey: companyId, startAfterSeconds: Math.ceil(restMs / 1_000) }
      return jobs.enqueue(tx, releaseNotice, { companyId }, later)
    }
    const told = toldOf(await users.findReleasers(tx, companyId), waiting)
    const mode = waiting.some((one) => one.mode === 'live') ? 'live' : 'test'
    const subject = { companyId, mode, kind: 'release', about } as const
    const mails = (await users.admitMails(tx, [{ subject, addresses: [...told.keys()] }])).flat()
    const open = mails.filter(({ heldBack }) => heldBack === null)
    await jobs.enqueueAll(
      tx,
      releaseMail,
      open.map(({ address }) => ({ companyId, mode, about, address, count: told.get(address) ?? 1 })),
    )
  })

/** How many each may release, by address: admins only where no approver can do it. */
const toldOf = (
  releasers: readonly Releaser[],
  waiting: readonly WaitingReleases[],
): ReadonlyMap<string, number> => {
  const countFor = ({ id, memberRole }: Releaser): number =>
    waiting
      .map((one) => ({ ...one, submitter: userIdIn(one.acceptedBy) }))
      .filter(({ submitter }) => (submitter === undefined ? memberRole === 'approver' : submitter !== id))
      .reduce((sum, { count }) => sum + count, 0)
  const able = releasers.map((one) => ({ ...one, count: countFor(one) })).filter(({ count }) => count > 0)
  const approvers = able.filter(({ memberRole }) => memberRole === 'approver')
  const told = approvers.length > 0 ? approvers : able
  return new Map(told.map(({ email, count }) => [email.trim().toLowerCase(), count]))
}

export const sendReleaseMail = (deps: CertificateDependencies, { data }: Job<ReleaseMail>): Promise<void> => {
  const { companyId, mode, about, address } = data
  const to = { companyId, mode, about, address, kind: 'release' } as const
  return sendCompanyMail(deps, to, (frame) => compose(deps, data, frame))
}

const headingOf = (count: number): Wording =>
  count === 1
    ? { en: 'A certificate waits for your release', de: 'Ein Zeugnis wartet auf Ihre Freigabe' }
    : {
        en: `${count} certificates wait for your release`,
        de: `${count} Zeugnisse warten auf Ihre Freigabe`,
      }

const compose = (
  deps: CertificateDependencies,
  { companyId, mode, count }: ReleaseMail,
  frame: MailFrame,
): MailBody => {
  const heading = headingOf(count)
  const { text, html } = renderMail({
    languages: [frame.language],
    sender: { name: frame.companyName },
    heading,
    before: [
      {
        en: 'Nothing is signed, recorded or mailed to the receivers before you or another approver releases it.',
        de: 'Nichts wird signiert, eingetragen oder an die Empfänger geschickt, bevor Sie oder ein anderer Freigeber es freigeben.',
      },
    ],
    facts: [],
    after: [
      {
        en: 'You get at most one such mail an hour, and only if something new waits.',
        de: 'Sie bekommen höchstens eine solche E-Mail in der Stunde, und nur, wenn etwas Neues wartet.',
      },
    ],
    button: {
      label: { en: 'Look and release', de: 'Ansehen und freigeben' },
      url: `${deps.publicUrl()}${paths.console}certificates?state=awaitingRelease&mode=${mode}&company=${companyId}`,
    },
    why: {
      en: 'You receive this mail because you may release certificates of this company.',
      de: 'Sie erhalten diese E-Mail, weil Sie Zeugnisse dieser Firma freigeben dürfen.',
    },
    unsubscribe: unsubscribeLink(frame),
  })
  const subject = `${mode === 'test' ? '[TEST] ' : ''}${heading[frame.language]} (${frame.companyName})`
  return { subject: oneLine(subject, 120), text, html }
}
