import type { Mail, operations } from '@millseal/contract'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { toMailResponse } from './mail-response.ts'
import { findMail, queueMailAgain } from './mails.store.ts'

/** Sends the mail now, whenever the next attempt was due; if that fails, the schedule starts again. */
export const retryMail = async (
  { audit, clock }: PipeDependencies,
  call: Call<typeof operations.retryMail>,
): Promise<Mail> => {
  const { params, companyId, principal, client, assertRecordMode, commit } = call
  const key = { id: params.id, companyId }
  return commit(async (tx) => {
    const mail = await findMail(tx, key)
    if (mail === undefined) throw new Problem('not_found')
    assertRecordMode(mail.mode)
    if (mail.delivered || mail.attempts === 0) throw new Problem('delivery_not_failed')
    await queueMailAgain(tx, { id: mail.id, now: new Date(clock.now()) })
    await audit.write(tx, {
      actor: principalName(principal),
      action: 'mails.retry',
      subject: `mail:${mail.id}`,
      companyId,
      ipAddress: client.ip,
    })
    const queued = await findMail(tx, key)
    if (queued === undefined) throw new Problem('not_found')
    return toMailResponse(queued)
  })
}
