import { type Mail, operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { seenMode } from '../hooks/hook-reach.ts'
import { topicResource } from '../hooks/listenable-events.ts'
import { toMailResponse } from './mail-response.ts'
import { findMail, findMailAttempts, findMailPage, findPayload } from './mails.store.ts'
import { retryMail } from './retry-mail.ts'

export const mailRoutes = (deps: PipeDependencies): readonly Binding[] => {
  const { query } = deps.database
  return [
    bind(operations.listMails, async (call) => {
      const { companyId, query: asked } = call
      const filter = {
        companyId,
        mode: seenMode(call),
        mailHookId: asked.mailhook,
        delivered: asked.delivered,
        resource: asked.resource === undefined ? undefined : topicResource(asked.resource),
        action: asked.action,
      }
      const found = await listPage(
        call,
        (page) => findMailPage(query, filter, page),
        ({ id }) => id,
      )
      return found.map((mail) => toMailResponse(mail))
    }),
    bind(operations.readMail, async ({ params, companyId, assertRecordMode }): Promise<Mail> => {
      const mail = await findMail(query, { id: params.id, companyId })
      if (mail === undefined) throw new Problem('not_found')
      assertRecordMode(mail.mode)
      const [payload, attempts] = await Promise.all([
        findPayload(query, mail.eventId),
        findMailAttempts(query, mail.id),
      ])
      if (payload === undefined) throw new Problem('not_found')
      return toMailResponse(mail, { payload, attempts })
    }),
    bind(operations.retryMail, retryMail(deps)),
  ]
}
