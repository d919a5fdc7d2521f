import { type Mail, operations } from '@millseal/contract'
import { type Binding, bindTo, type Call, type Content } from '../../../http/binding.ts'
import { listPage, tellTotal } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { visibleMode } from '../hooks/hook-reach.ts'
import { topicResource } from '../hooks/listenable-events.ts'
import { toMailResponse } from './mail-response.ts'
import {
  countMails,
  findMail,
  findMailAttempts,
  findMailPage,
  findEvent,
  type MailFilter,
} from './mails.store.ts'
import { retryMail } from './retry-mail.ts'

export const mailRoutes = (deps: PipeDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.listMails, listMails),
    bind(operations.readMail, readMail),
    bind(operations.readMailContent, readMailContent),
    bind(operations.retryMail, retryMail),
  ]
}

const listMails = async (
  { database }: PipeDependencies,
  call: Call<typeof operations.listMails>,
): Promise<Mail[]> => {
  const { mailhook: mailHookId, delivered, resource, action, certificate: aboutId, text } = call.query
  const filter: MailFilter = {
    companyId: call.companyId,
    mode: visibleMode(call),
    mailHookId,
    delivered,
    resource: resource && topicResource(resource),
    action,
    aboutId,
    text,
  }
  const found = await listPage(
    call,
    (page) => findMailPage(database.query, filter, page),
    ({ id }) => id,
  )
  await tellTotal(call, (atMost) => countMails(database.query, filter, atMost))
  return found.map((mail) => toMailResponse(mail))
}

const readMail = async (
  { database: { query } }: PipeDependencies,
  { params, companyId, assertRecordMode }: Call<typeof operations.readMail>,
): Promise<Mail> => {
  const mail = await findMail(query, { id: params.id, companyId })
  if (mail === undefined) throw new Problem('not_found')
  assertRecordMode(mail.mode)
  const [event, attempts] = await Promise.all([
    findEvent(query, mail.eventId),
    findMailAttempts(query, mail.id),
  ])
  if (event === undefined) throw new Problem('not_found')
  return toMailResponse(mail, { payload: event.payload, attempts })
}

/** The style is in the mail, and a mail of an event has no pictures. */
const mailPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

const readMailContent = async (
  { database: { query } }: PipeDependencies,
  { params, companyId, assertRecordMode, header }: Call<typeof operations.readMailContent>,
): Promise<Content> => {
  const mail = await findMail(query, { id: params.id, companyId })
  if (mail === undefined) throw new Problem('not_found')
  assertRecordMode(mail.mode)
  header('content-security-policy', mailPolicy)
  return { type: 'text/html; charset=utf-8', bytes: mail.htmlContent }
}
