import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { assertHookMode, seenMode } from '../hooks/hook-reach.ts'
import { toMailResponse } from '../mails/mail-response.ts'
import { findMailPage } from '../mails/mails.store.ts'
import { createMailHook } from './create-mailhook.ts'
import { deleteMailHook } from './delete-mailhook.ts'
import { toMailHookResponse } from './mailhook-response.ts'
import { findMailHook, findMailHookPage } from './mailhooks.store.ts'
import { updateMailHook } from './update-mailhook.ts'

const embeddedMails = 100

export const mailHookRoutes = (deps: PipeDependencies): readonly Binding[] => {
  const { query } = deps.database
  return [
    bind(operations.createMailHook, createMailHook(deps)),
    bind(operations.listMailHooks, async (call) => {
      const { companyId } = call
      const owner = await deps.users.findCompany(query, companyId)
      if (owner === undefined) throw new Problem('not_found')
      const found = await listPage(
        call,
        (page) => findMailHookPage(query, { companyId, mode: seenMode(call) }, page),
        ({ id }) => id,
      )
      return found.map((hook) => toMailHookResponse(hook, owner))
    }),
    bind(operations.readMailHook, async (call) => {
      const { params, companyId } = call
      const [hook, owner] = await Promise.all([
        findMailHook(query, { id: params.id, companyId }),
        deps.users.findCompany(query, companyId),
      ])
      if (hook === undefined || owner === undefined) throw new Problem('not_found')
      assertHookMode(call, hook.mode)
      const filter = { companyId, mailHookId: hook.id, mode: seenMode(call) }
      const mails = await findMailPage(query, filter, { limit: embeddedMails, after: undefined })
      return { ...toMailHookResponse(hook, owner), mails: mails.map((mail) => toMailResponse(mail)) }
    }),
    bind(operations.updateMailHook, updateMailHook(deps)),
    bind(operations.deleteMailHook, deleteMailHook(deps)),
  ]
}
