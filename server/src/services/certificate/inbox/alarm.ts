import type { AlarmedCertificate } from '@millseal/contract'
import type { Transaction } from '../../../ports/database/database.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { alarmMail } from './alarm-mail.ts'
import { saveEntry } from './answers.store.ts'
import { badVerdicts } from './answers.ts'
import { findDecision } from './decisions.store.ts'
import type { StoredEntry } from './inbox.store.ts'

/** Once, if something accepted is not valid any more: an event, and a mail to the contacts of the company. */
export const raiseAlarm = async (
  deps: CertificateDependencies,
  tx: Transaction,
  { entry, verdict }: { readonly entry: StoredEntry; readonly verdict: AlarmedCertificate['verdict'] | null },
): Promise<void> => {
  const { id, companyId, mode, state, alarm, decisionId } = entry
  const isAccepted = state === 'accepted' || state === 'acceptedWithConcession'
  if (!isAccepted || alarm !== null || decisionId === null) return
  const decision = await findDecision(tx, decisionId)
  // Somebody knew it, and accepted it all the same.
  if (decision === undefined || verdict === null || decision.verdict === verdict) return
  if (!badVerdicts.includes(verdict)) return
  const at = new Date(deps.clock.now())
  await saveEntry(tx, id, { alarm: verdict, alarmedAt: at })
  const payload: AlarmedCertificate = {
    hash: entry.hash ?? undefined,
    mode,
    summary: JSON.parse(entry.summary) as AlarmedCertificate['summary'],
    inbox: id,
    verdict,
    acceptedAt: decision.decidedAt.toISOString(),
    at: at.toISOString(),
  }
  await deps.outbox.write(tx, {
    owner: { kind: 'company', id: companyId },
    mode,
    resource: 'inbox',
    action: 'alarm_one',
    payload,
    aboutName: payload.summary.identifier,
  })
  const addresses = (await deps.users.findContacts(tx, companyId)).map((one) => one.trim().toLowerCase())
  const subject = { companyId, mode, kind: 'alarm', about: decisionId } as const
  const mails = (await deps.users.admitMails(tx, [{ subject, addresses }])).flat()
  const open = mails.filter(({ heldBack }) => heldBack === null)
  await deps.jobs.enqueueAll(
    tx,
    alarmMail,
    open.map(({ address }) => ({ inboxId: id, decisionId, address })),
  )
}
