import { type Invitation, limits, type operations } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { lockCompany, type StoredCompany } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { insertCompanyMails } from '../mailing/company-mails.store.ts'
import { stoppedAmong } from '../mailing/decide-mails.ts'
import { countLasting, lockLasting, readLasting } from '../quotas/lasting-numbers.ts'
import { assertAdmin } from '../members/change-members.ts'
import { findMembers } from '../companies/members.store.ts'
import { storedRole } from '../companies/stored-role.ts'
import { invitationMail } from './invitation-mail.ts'
import { toInvitationResponse } from './invitation-response.ts'
import {
  countInvitationsSince,
  findInvitation,
  findOpenInvitationOf,
  insertInvitation,
  type StoredInvitation,
} from './invitations.store.ts'

const dayMs = 86_400_000

export const createInvitation = async (
  deps: UserDependencies,
  { companyId, body, principal, client, commit }: Call<typeof operations.createInvitation>,
): Promise<Invitation> => {
  const address = body.email.toLowerCase()
  const { role } = body
  return commit(async (tx) => {
    const now = new Date(deps.clock.now())
    const company = await lockCompany(tx, companyId)
    if (company === undefined) throw new Problem('not_found')
    const members = await findMembers(tx, [companyId])
    assertAdmin(members, principal)
    if (members.some(({ email }) => email.toLowerCase() === address)) throw new Problem('member_exists')
    if (await findOpenInvitationOf(tx, { companyId, address }, now)) throw new Problem('invitation_exists')
    await assertFewInvitations(tx, company, { inviterId: principal.id, now })
    const invitation = await insertInvitation(tx, {
      id: uuidv7(now.getTime()),
      companyId,
      address,
      ...storedRole(role),
      inviterId: principal.id,
      inviterUsername: principal.username,
      createdAt: now,
      expiresAt: new Date(now.getTime() + limits.invitations.days * dayMs),
    })
    await mailInvitation(deps, tx, invitation)
    await deps.audit.write(tx, {
      actor: principalName(principal),
      action: 'invitations.create',
      subject: `invitation:${invitation.id}`,
      companyId,
      ipAddress: client.ip,
      details: { email: address, role },
    })
    const stored = await findInvitation(tx, invitation.id)
    if (stored === undefined) throw new Problem('not_found')
    return toInvitationResponse(stored, now)
  })
}

/** Anybody can found a company, again and again, so the person and the VAT id of one that nobody reviewed may mail few strangers. */
const assertFewInvitations = async (
  tx: Transaction,
  { id, vatId, verifiedAt }: StoredCompany,
  { inviterId, now }: { readonly inviterId: string; readonly now: Date },
): Promise<void> => {
  const { perDay, unreviewed, storedDays } = limits.invitations
  const [days, most] = verifiedAt === null ? [storedDays, unreviewed] : [1, perDay]
  const sent = await countInvitationsSince(tx, id, new Date(now.getTime() - days * dayMs))
  const lasting = { counted: 'invitations', holders: { userId: inviterId, vatId }, now } as const
  if (verifiedAt === null) await lockLasting(tx, lasting)
  const all = verifiedAt === null ? Math.max(sent, await readLasting(tx, { ...lasting, days })) : sent
  if (all < most) {
    if (verifiedAt === null) await countLasting(tx, lasting)
    return
  }
  throw new Problem('invitation_limit_reached', {
    reasons: [
      verifiedAt === null
        ? because('invitations_of_unverified_limit', { most, days })
        : because('invitations_limit', { most }),
    ],
  })
}

/** Recorded here and not by `admitMails`, which mails nobody but members for a company that is not verified. */
const mailInvitation = async (
  { jobs }: UserDependencies,
  tx: Transaction,
  { id, companyId, address, createdAt }: StoredInvitation,
): Promise<void> => {
  const heldBack = (await stoppedAmong(tx, companyId, [address])).get(address) ?? null
  const mail = {
    companyId,
    mode: 'live',
    kind: 'invitation',
    about: id,
    address,
    heldBack,
    createdAt,
  } as const
  await insertCompanyMails(tx, [{ id: uuidv7(createdAt.getTime()), ...mail }])
  if (heldBack === null) await jobs.enqueue(tx, invitationMail, { invitationId: id })
}
