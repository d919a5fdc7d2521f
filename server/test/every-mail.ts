import { type Company, type CreateReview, type EventDeclaration, events, modes } from '@millseal/contract'
import { decodeBase58, didOf } from '@millseal/proof'
import { sql } from 'kysely'
import type { UserService } from '../src/services/user/index.ts'
import { certificateOf, mailAboutCertificates } from './every-certificate-mail.ts'
import { causeEveryEvent } from './every-event.ts'
import { eventually } from './eventually.ts'
import { makeLedgerSigner } from './ledger-signer.ts'
import { newMailHook } from './mail-hooks.ts'
import { domainOf, entered, type From, kindOf, type Sending } from './mailing-people.ts'
import { enableMfa, foundCompany, password, type Person, signUpOperator } from './people.ts'
import { linkIn } from './test-server.ts'
import { freshVatId } from './vat-ids.ts'

type Notice = Parameters<UserService['notify']>[1]['notice']

const notices: Readonly<Record<Notice, true>> = {
  password_changed: true,
  email_changed: true,
  authenticator_added: true,
  authenticator_removed: true,
  passkey_added: true,
  passkey_removed: true,
  passkey_refused: true,
  mfa_disabled: true,
  recovery_codes_created: true,
  code_locked: true,
  recovery_code_used: true,
  sessions_ended: true,
  long_lived_token_created: true,
  issuer_linked: true,
  sign_in_locked: true,
}

/** Sends every kind of mail that the product has to people who read this language. */
export const sendEveryMail = async (sending: Sending): Promise<void> => {
  const admin = await signUpIn(sending, 'admin')
  await mailAboutAccount(sending, admin)
  const company = await newCompany(sending, admin, 'company')
  const from = { ...sending, admin, company }
  await mailAboutMembers(from)
  await mailAboutReviews(from)
  const live = { ...from, admin: await signInForLive(from) }
  await mailAboutMembers(live)
  await mailAboutCompany(live)
  await mailAboutCertificates(live)
  await mailAboutEvents(sending)
  await mailOperators(live)
  await untilSent(sending)
}

/** As a browser of this language registers. */
const signUpIn = async ({ server, language }: Sending, name: string): Promise<Person> => {
  const email = `${name}@${domainOf(language)}`
  const username = `${name}-${language}`
  const { id } = await server
    .client()
    .registerUser({ body: { username, email, password }, headers: { 'accept-language': language } })
  const [mail = ''] = await server.mailsTo(email, 1)
  await fetch(linkIn(mail), { redirect: 'manual' })
  const { accessToken, refreshToken } = await server.client().login({ body: { username, password } })
  return { id, username, email, accessToken, refreshToken }
}

/** Of a country where people speak the language: mails to addresses without an account are in it. */
const newCompany = (
  { server, language }: Sending,
  admin: Person,
  name: 'company' | 'plain',
): Promise<Company> => {
  const vatId = language === 'de' ? freshVatId() : freshVatId().replace('ATU', 'US')
  return foundCompany(server, admin, { name: entered[language][name], vatId })
}

const mailAboutAccount = async (
  { server, deps: { database, users }, language }: Sending,
  { id, email, accessToken }: Person,
): Promise<void> => {
  const client = server.client(accessToken)
  await client.requestPasswordReset({ params: { email } })
  await client.updateUser({ params: { id }, body: { email: `new@${domainOf(language)}` } })
  for (const notice of Object.keys(notices) as Notice[])
    await database.transaction((tx) => users.notify(tx, { userId: id, notice }))
}

let invited = 0
/** Called again once the company is verified: the mail then has no warning. */
const mailAboutMembers = async (from: From): Promise<void> => {
  const { server, admin, company } = from
  invited += 1
  const { email } = await signUpIn(from, `invited-${invited}`)
  await server
    .client(admin.accessToken)
    .createInvitation({ params: { id: company.id }, body: { email, role: 'operator' } })
}

const mailAboutReviews = async ({ server, language, company }: From): Promise<void> => {
  const operator = server.client((await signUpOperator(server)).accessToken)
  const { reason } = entered[language]
  const decisions: readonly CreateReview[] = [
    { decision: 'rejected', reason },
    { decision: 'verified', reason, acceptSimilarName: true },
    { decision: 'verified', acceptSimilarName: true },
  ]
  for (const body of decisions) await operator.reviewCompany({ params: { id: company.id }, body })
}

const signInForLive = async ({ server, admin }: From): Promise<Person> => {
  const nextCode = await enableMfa(server, admin)
  const { username } = admin
  const signedIn = await server.client().login({ body: { username, password, code: nextCode() } })
  return { ...admin, ...signedIn }
}

const mailOperators = async ({ deps: { database, jobs }, admin }: From): Promise<void> => {
  for (const mode of modes)
    for (const state of ['lost', 'back']) {
      const news = { mode, state, lostAt: '2026-11-22T05:10:00.000Z', userId: admin.id }
      await database.transaction((tx) => jobs.enqueue(tx, kindOf('operator-quorum-mail'), news))
    }
}

const hookNotices = ['failing_for_a_day', 'disabled_gone', 'disabled_failing']

const mailAboutCompany = async (from: From): Promise<void> => {
  const { server, deps, language, admin, company } = from
  const { database, jobs } = deps
  const client = server.client(admin.accessToken)
  const scopes = [{ resource: 'companies', actions: ['update_one'] }]
  const hook = { connectionUrl: 'https://quality.example/hooks/millseal', scopes }
  const named = { ...hook, name: entered[language].webhook, notifyEmail: `hooks@${domainOf(language)}` }
  for (const body of [named, hook]) {
    const { id: hookId } = await client.createHook({ company: company.id, body })
    for (const notice of hookNotices)
      await database.transaction((tx) => jobs.enqueue(tx, kindOf('pipe-hook-notice'), { hookId, notice }))
  }
  const quota = { companyId: company.id, userId: admin.id }
  await database.transaction((tx) => jobs.enqueue(tx, kindOf('company-quota-mail'), quota))
  await useVatId(from, 'identity')
}

/** As anybody can on the open ledger of test mode. The entry of a review has no name here. */
const useVatId = async ({ server, admin, company }: From, type: 'identity' | 'review'): Promise<void> => {
  const stranger = makeLedgerSigner()
  const { publicKey } = stranger
  const { name, vatId } = company
  const key = { type, did: didOf(decodeBase58(publicKey)), vatId }
  const data = type === 'review' ? key : { ...key, publicKey, company: name }
  await fetch(`${server.url}/ledger/test/api/v1/transactions?mode=commit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(stranger.create(data)),
  })
  await server.mailsTo(admin.email, 1, /Somebody used your VAT id|Jemand hat Ihre Umsatzsteuer-ID/)
}

const everyEvent: readonly EventDeclaration[] = events

/** Of a company that the last event deletes. */
const mailAboutEvents = async (sending: Sending): Promise<void> => {
  const { server } = sending
  const admin = await signUpIn(sending, 'events')
  const company = await newCompany(sending, admin, 'plain')
  const from = { ...sending, admin, company }
  await useVatId(from, 'review')
  const scopes = everyEvent.map(({ scope: { resource, action } }) => ({ resource, actions: [action] }))
  await newMailHook(server, from, { scopes })
  const beforeLeaving = () => untilSent(sending)
  await causeEveryEvent(server, from, { certify: () => certificateOf(from), beforeLeaving })
}

/** Once nothing that sends mails waits. */
const untilSent = async ({ deps: { database } }: Sending): Promise<void> => {
  await eventually(
    async () => {
      const { rows } = await sql<{ waiting: number }>`
        select (select count(*) from pgboss.job where state in ('created', 'retry', 'active') and name ~ 'mail|notice|revocation' and start_after < now() + interval '10 minutes')
          + (select count(*) from outbox where dispatched_at is null) + (select count(*) from mail_orders)
          + (select count(*) from mails where next_attempt_at is not null) as waiting`.execute(database.query)
      return Number(rows[0]?.waiting) === 0
    },
    { what: 'every mail', everyMs: 50 },
  )
}
