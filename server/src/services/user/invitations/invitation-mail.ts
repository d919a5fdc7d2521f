import type { MemberRole } from '@millseal/contract'
import { paths } from '../../../http/pages/links.ts'
import { languageOf, type MailLanguage, type Wording } from '../../../lib/mail-languages.ts'
import { oneLine, renderMail, unsubscribeLink, withoutLinks } from '../../../lib/mail-layout.ts'
import type { Job } from '../../../ports/jobs/jobs.ts'
import { hashLinkToken, newLinkToken } from '../users/link-token.ts'
import { mailJob } from '../mailing/account-mail.ts'
import { findUserByLogin } from '../users/users.store.ts'
import { findCompanies } from '../companies/companies.store.ts'
import { readRole } from '../companies/stored-role.ts'
import type { UserDependencies } from '../dependencies.ts'
import {
  createMailing,
  type MailBody,
  type MailFrame,
  sendCompanyMail,
} from '../mailing/send-company-mail.ts'
import { findInvitation, insertInvitationLink, type StoredInvitation } from './invitations.store.ts'

type InvitationJob = { readonly invitationId: string }

export const invitationMail = mailJob<InvitationJob>('user-invitation-mail')

const roles: Readonly<Record<MemberRole, Wording>> = {
  admin: { en: 'admin', de: 'Administrator' },
  approver: { en: 'approver', de: 'Freigeber' },
  clerk: { en: 'clerk', de: 'Sachbearbeiter' },
  operator: { en: 'dispatcher', de: 'Mitarbeiter im Versand' },
  read_only: { en: 'reader', de: 'Leser' },
}

/** Creates the token while sending: the mail contains it, the database its hash, and the job neither. */
export const sendInvitationMail = async (
  deps: UserDependencies,
  { data }: Job<InvitationJob>,
): Promise<void> => {
  const { database, clock } = deps
  const invitation = await findInvitation(database.query, data.invitationId)
  if (invitation === undefined || invitation.acceptedAt !== null || invitation.withdrawnAt !== null) return
  const { companyId, id, address, expiresAt } = invitation
  const [company] = await findCompanies(database.query, { id: companyId })
  if (company === undefined || expiresAt.getTime() <= clock.now()) return
  const to = { companyId, mode: 'live', kind: 'invitation', about: id, address } as const
  await sendCompanyMail({ ...deps, users: createMailing(deps) }, to, async (frame) => {
    const token = newLinkToken()
    await insertInvitationLink(database.query, { tokenHash: hashLinkToken(token), invitationId: id })
    const url = `${deps.publicUrl()}${paths.invitation}?token=${token.reveal()}`
    const isVerified = company.verifiedAt !== null
    const user = await findUserByLogin(database.query, address)
    const language = user?.language ?? languageOf(company.vatId)
    return composeInvitation(frame, { invitation, url, isVerified, language })
  })
}

const longestInTitle = 60

/** A name cannot look like the words around it: it is short, and has no quotation marks of its own. */
const inTitle = (name: string): string => oneLine(name.replaceAll(/["“”„‟«»‹›]/gu, "'"), longestInTitle)

const composeInvitation = (
  { companyName, vatId, unsubscribeUrl }: MailFrame,
  {
    invitation,
    url,
    isVerified,
    language,
  }: {
    readonly invitation: StoredInvitation
    readonly url: string
    readonly isVerified: boolean
    readonly language: MailLanguage
  },
): MailBody => {
  // Anybody can found a company, and call it as they like.
  const shown = (name: string): string => (isVerified ? oneLine(name) : withoutLinks(oneLine(name)))
  const company = shown(companyName)
  const inviter = shown(invitation.inviterUsername)
  const title = inTitle(company)
  const subject: Wording = { en: `Invitation to “${title}”`, de: `Einladung zu „${title}“` }
  const unreviewed: Wording = {
    en: 'The operator of this service has not reviewed this company yet. Accept only if you expect this invitation.',
    de: 'Der Betreiber dieses Dienstes hat diese Firma noch nicht geprüft. Nehmen Sie die Einladung nur an, wenn Sie sie erwarten.',
  }
  const { text, html } = renderMail({
    languages: [language],
    heading: subject,
    notice: isVerified ? undefined : unreviewed,
    before: [
      {
        en: `${inviter} invites you to join ${company} on Millseal, which notarizes material certificates. The link works once, for two weeks.`,
        de: `${inviter} lädt Sie ein, bei ${company} auf Millseal mitzuarbeiten. Millseal notarisiert Werkstoffzeugnisse. Der Link funktioniert einmal und zwei Wochen lang.`,
      },
    ],
    facts: [
      [{ en: 'Company', de: 'Firma' }, `${company} (${vatId})`],
      [{ en: 'Role', de: 'Rolle' }, roles[readRole(invitation)][language]],
    ],
    button: { label: { en: 'See the invitation', de: 'Einladung ansehen' }, url },
    after: [
      {
        en: 'If you do not want to join, ignore this mail. Nothing happens unless you accept.',
        de: 'Wenn Sie nicht mitarbeiten möchten, ignorieren Sie diese E-Mail. Solange Sie die Einladung nicht annehmen, geschieht nichts.',
      },
    ],
    why: {
      en: `You receive this mail because an admin of ${company} entered this address.`,
      de: `Sie erhalten diese E-Mail, weil ${company} diese Adresse eingeladen hat.`,
    },
    unsubscribe: unsubscribeLink({ companyName: company, unsubscribeUrl }),
  })
  return { subject: subject[language], text, html }
}
