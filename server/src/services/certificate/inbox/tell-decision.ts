import type { DecidedCertificate } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { findIssuers } from './decisions.store.ts'
import type { StoredEntry } from './inbox.store.ts'

/**
 * The events of the company that decided, and of the one that issued, if its certificate names the first as receiver: else anybody
 * could write to any issuer. The issuer reads why something was rejected; why something was accepted is no business of theirs.
 */
export const tellDecision = async (
  deps: CertificateDependencies,
  tx: Transaction,
  {
    entries,
    decision,
    reason,
    at,
  }: {
    readonly entries: readonly StoredEntry[]
    readonly decision: DecidedCertificate['decision']
    readonly reason?: string | undefined
    readonly at: Date
  },
): Promise<void> => {
  const [first] = entries
  if (first === undefined) return
  const { companyId } = first
  const [receiver, issuers] = await Promise.all([
    deps.users.findCompany(tx, companyId),
    findIssuers(
      tx,
      entries.flatMap(({ certificateId }) => certificateId ?? []),
    ),
  ])
  if (receiver === undefined) return
  await deps.outbox.writeAll(
    tx,
    entries.flatMap((entry) => {
      const { id, mode, hash, summary, certificateId } = entry
      const payload: DecidedCertificate = {
        hash: hash ?? undefined,
        mode,
        summary: JSON.parse(summary) as DecidedCertificate['summary'],
        receiver: { id: receiver.id, name: receiver.name },
        decision,
        at: at.toISOString(),
      }
      const eventOf = (ownerId: string, more: Partial<DecidedCertificate>) => ({
        owner: { kind: 'company', id: ownerId } as const,
        mode,
        resource: 'inbox' as const,
        action: actions[decision],
        payload: { ...payload, ...more },
        aboutName: payload.summary.identifier,
      })
      const issuer = certificateId === null ? undefined : issuers.get(certificateId)
      const forIssuer = decision === 'rejected' ? { reason } : {}
      return [
        eventOf(companyId, { reason, inbox: id }),
        ...(issuer === undefined || issuer === companyId ? [] : [eventOf(issuer, forIssuer)]),
      ]
    }),
  )
}

const actions = {
  accepted: 'accept_one',
  acceptedWithConcession: 'accept_one',
  rejected: 'reject_one',
  archived: 'reject_one',
  undone: 'reopen_one',
} as const
