import { type MailHook, operations } from '@millseal/contract'
import { type Binding, bindTo, type Call, type ReplyOf } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { assertHookMode, visibleMode } from '../hooks/hook-reach.ts'
import { toMailResponse } from '../mails/mail-response.ts'
import { findMailPage } from '../mails/mails.store.ts'
import { createMailHook } from './create-mailhook.ts'
import { deleteMailHook } from './delete-mailhook.ts'
import { toMailHookResponse } from './mailhook-response.ts'
import { findMailHook, findMailHookPage } from './mailhooks.store.ts'
import { updateMailHook } from './update-mailhook.ts'

const embeddedMails = 100

export const mailHookRoutes = (deps: PipeDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.createMailHook, createMailHook),
    bind(operations.listMailHooks, listMailHooks),
    bind(operations.readMailHook, readMailHook),
    bind(operations.updateMailHook, updateMailHook),
    bind(operations.deleteMailHook, deleteMailHook),
  ]
}

const listMailHooks = async (
  { users, database: { query } }: PipeDependencies,
  call: Call<typeof operations.listMailHooks>,
): Promise<MailHook[]> => {
  const { companyId } = call
  const owner = await users.findCompany(query, companyId)
  if (owner === undefined) throw new Problem('not_found')
  const filter = { companyId, mode: visibleMode(call) }
  const found = await listPage(
    call,
    (page) => findMailHookPage(query, filter, page),
    ({ id }) => id,
  )
  return found.map((hook) => toMailHookResponse(hook, owner))
}

const readMailHook = async (
  { users, database: { query } }: PipeDependencies,
  call: Call<typeof operations.readMailHook>,
): Promise<ReplyOf<typeof operations.readMailHook>> => {
  const { params, companyId } = call
  const [hook, owner] = await Promise.all([
    findMailHook(query, { id: params.id, companyId }),
    users.findCompany(query, companyId),
  ])
  if (hook === undefined || owner === undefined) throw new Problem('not_found')
  assertHookMode(call, hook.mode)
  const filter = { companyId, mailHookId: hook.id, mode: visibleMode(call) }
  const mails = await findMailPage(query, filter, { limit: embeddedMails, after: undefined })
  return { ...toMailHookResponse(hook, owner), mails: mails.map((mail) => toMailResponse(mail)) }
}
