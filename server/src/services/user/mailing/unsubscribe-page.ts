import { limits } from '@millseal/contract'
import { type Markup, markup } from '@millseal/families'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { because } from '@millseal/contract/reasons'
import { sendHtmlPage } from '../../../http/html-page.ts'
import { browserErrors } from '../../../http/page-errors.ts'
import { type PageLanguage, pageLanguageOf } from '../../../http/pages/page-language.ts'
import { paths } from '../../../http/pages/links.ts'
import { oneLine } from '../../../lib/mail-layout.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { findCompanies } from '../companies/companies.store.ts'
import type { UserDependencies } from '../dependencies.ts'
import { findSuppressions, resubscribe, type StoredRecipient, suppress } from './suppressions.store.ts'
import { recipientOf } from './unsubscribe-link.ts'
import { unsubscribeWords } from './unsubscribe-words.ts'

type Route = { Params: { token: string } }
type Wish = 'company' | 'all' | 'none'

const limited = { bucket: 'mails.unsubscribe', perMinute: limits.verifyCallsPerMinute } as const
const errorHandler = browserErrors(({ code }, language) => {
  const { invalid: title, invalidText: text } = unsubscribeWords[language]
  return code === 'link_invalid' ? { title, text } : undefined
})

/**
 * Lets the receiver of a mail stop further ones, without an account. Opening the page changes nothing, because mail
 * scanners open links; a POST does (RFC 8058).
 */
export const mountUnsubscribePage = (server: FastifyInstance, deps: UserDependencies): void => {
  server.get<Route>(
    `${paths.unsubscribe}/:token`,
    { config: { limited }, errorHandler },
    async ({ params }, reply) => await sendPage(deps, reply, await requireRecipient(deps, params.token)),
  )
  server.post<Route>(
    `${paths.unsubscribe}/:token`,
    { config: { limited }, errorHandler },
    async (request, reply) => {
      const recipient = await requireRecipient(deps, request.params.token)
      await follow(deps, recipient, wishOf(await fieldsOf(request)))
      return await sendPage(deps, reply, recipient)
    },
  )
}

const requireRecipient = async (deps: UserDependencies, token: string): Promise<StoredRecipient> => {
  const recipient = await recipientOf(deps, new Secret(token))
  if (recipient === undefined) throw new Problem('link_invalid')
  return recipient
}

/** Mail programs send either type. */
const fieldsOf = async (request: FastifyRequest): Promise<ReadonlyMap<string, unknown>> => {
  if (!request.isMultipart()) return new Map(Object.entries(request.body ?? {}))
  const fields = new Map<string, unknown>()
  for await (const part of request.parts({ limits: { fileSize: 0, fields: 4 } }))
    if (part.type === 'field') fields.set(part.fieldname, part.value)
  return fields
}

const wishOf = (fields: ReadonlyMap<string, unknown>): Wish => {
  if (fields.get('List-Unsubscribe') === 'One-Click') return 'company'
  const stop = fields.get('stop')
  if (stop === 'company' || stop === 'all' || stop === 'none') return stop
  throw new Problem('validation_failed', {
    reasons: [because('unsubscribe_form')],
  })
}

const follow = async (
  { database, clock }: UserDependencies,
  { companyId, address }: StoredRecipient,
  wish: Wish,
): Promise<void> => {
  const now = new Date(clock.now())
  await database.transaction(async (tx) => {
    if (wish === 'none') await resubscribe(tx, { companyId, address })
    else
      await suppress(
        tx,
        { companyId: wish === 'all' ? null : companyId, address, reason: 'unsubscribed' },
        now,
      )
  })
}

const sendPage = async (
  { database: { query } }: UserDependencies,
  reply: FastifyReply,
  { companyId, address }: StoredRecipient,
): Promise<FastifyReply> => {
  const [company] = await findCompanies(query, { id: companyId })
  const suppressions = await findSuppressions(query, { companyId, addresses: [address] })
  const stopped = suppressions.filter(({ reason }) => reason === 'unsubscribed')
  const language = pageLanguageOf(reply.request)
  const shown = { company: oneLine(company?.name ?? ''), address: masked(address), language }
  return sendHtmlPage(reply, {
    title: unsubscribeWords[language].title,
    language,
    main:
      stopped.length === 0
        ? question(shown)
        : confirmation(
            shown,
            stopped.some((one) => one.companyId === null),
          ),
  })
}

type Shown = { readonly company: string; readonly address: string; readonly language: PageLanguage }

const question = ({ company, address, language }: Shown): Markup => {
  const t = unsubscribeWords[language]
  return markup`<h1>${t.question}</h1>
<p>${t.about(company, address)}</p>
<p class="muted">${t.account}</p>
<form method="post">
<button name="stop" value="company">${t.stop(company)}</button>
<button class="second" name="stop" value="all">${t.stopAll}</button>
</form>`
}

const confirmation = ({ company, address, language }: Shown, isAll: boolean): Markup => {
  const t = unsubscribeWords[language]
  return markup`<h1>${t.stopped}</h1>
<p role="status">${isAll ? t.nobody(address) : t.notThis(company, address)}</p>
<form method="post">
<button class="second" name="stop" value="none">${t.resume}</button>
</form>`
}

/** Enough for its owner, and no address for people to whom the mail was forwarded. */
const masked = (address: string): string => {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}…${address.slice(at)}`
}
