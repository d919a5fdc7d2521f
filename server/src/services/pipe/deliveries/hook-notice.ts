import { paths } from '../../../http/pages/links.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import { oneLine, renderMail, unsubscribeLink } from '../../../lib/mail-layout.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { findAnyHook, type StoredHook } from '../hooks/hooks.store.ts'
import { type MailBody, type MailFrame, sendCompanyMail } from '../../user/index.ts'

const notices = {
  failing_for_a_day: {
    en: 'No event has reached it for a day. Deliveries are retried; after five days without success the webhook is disabled.',
    de: 'Ihn hat seit einem Tag kein Ereignis erreicht. Die Zustellung wird wiederholt; nach fünf Tagen ohne Erfolg wird der Webhook ausgeschaltet.',
  },
  disabled_gone: {
    en: 'Its receiver answered 410, which asks for no more events.',
    de: 'Der Empfänger hat mit 410 geantwortet und möchte keine Ereignisse mehr.',
  },
  disabled_failing: {
    en: 'No event has reached it for five days.',
    de: 'Ihn hat seit fünf Tagen kein Ereignis erreicht.',
  },
} as const satisfies Readonly<Record<string, Wording>>

const failing: Wording = { en: 'A webhook is failing', de: 'Ein Webhook ist nicht erreichbar' }
const disabled: Wording = { en: 'A webhook was disabled', de: 'Ein Webhook wurde ausgeschaltet' }

type HookNoticeOf = { readonly notice: keyof typeof notices }
type HookNotice = HookNoticeOf & { readonly hookId: string }

export const hookNotice: JobKind<HookNotice> = {
  name: 'pipe-hook-notice',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

/** Mails every admin of the company, and the address that the webhook names. */
export const sendHookNotice = async (
  deps: PipeDependencies,
  { id, data }: Job<HookNotice>,
): Promise<void> => {
  const { database, users, publicUrl } = deps
  const hook = await findAnyHook(database.query, data.hookId)
  if (hook === undefined) return
  const admins = await users.findAdmins(hook.companyId)
  for (const reader of readersOf(hook, admins)) {
    const { companyId, mode } = hook
    const to = {
      companyId,
      mode: mode === 'test' ? 'test' : 'live',
      kind: 'webhook',
      about: id,
      address: reader.email,
    } as const
    const url = `${publicUrl()}${paths.console}webhooks/${hook.id}?company=${companyId}`
    await sendCompanyMail(deps, to, (frame) => compose({ notice: data.notice, hook, reader, url, frame }))
  }
}

type Composing = HookNoticeOf & {
  readonly hook: StoredHook
  readonly reader: Reader
  /** Of the webhook. */
  readonly url: string
  readonly frame: MailFrame
}

const compose = ({ notice, hook, reader: { username }, url, frame }: Composing): MailBody => {
  const { language } = frame
  const heading = notice === 'failing_for_a_day' ? failing : disabled
  const greeting = username === undefined ? [] : [greet(oneLine(username))]
  const company = oneLine(frame.companyName)
  const { host } = new URL(hook.connectionUrl)
  const { text, html } = renderMail({
    languages: [language],
    heading,
    before: [...greeting, notices[notice]],
    facts: [
      [{ en: 'Webhook', de: 'Webhook' }, hook.name ?? undefined],
      [{ en: 'Receiver', de: 'Empfänger' }, host],
      [{ en: 'Company', de: 'Firma' }, company],
    ],
    after: notice === 'failing_for_a_day' ? [kept] : [enableAgain, kept],
    button: { label: { en: 'Open webhook', de: 'Webhook öffnen' }, url },
    why: username === undefined ? whyNamed(company) : whyAdmin(company),
    unsubscribe: unsubscribeLink(frame),
  })
  const test = hook.mode === 'test' ? '[TEST] ' : ''
  return { subject: `${test}${heading[language]}: ${oneLine(hook.name ?? host)}`, text, html }
}

const enableAgain: Wording = {
  en: 'Enable it again once the receiver works.',
  de: 'Schalten Sie ihn wieder ein, sobald der Empfänger funktioniert.',
}

const kept: Wording = {
  en: 'Its events are kept for a month. You can retry their deliveries.',
  de: 'Die Ereignisse bleiben einen Monat lang gespeichert. Sie können die Zustellung wiederholen.',
}

type Reader = {
  readonly username: string | undefined
  readonly email: string
}

const readersOf = ({ notifyEmail }: StoredHook, admins: readonly Reader[]): readonly Reader[] =>
  notifyEmail === null || admins.some(({ email }) => email.toLowerCase() === notifyEmail.toLowerCase())
    ? admins
    : [...admins, { username: undefined, email: notifyEmail }]

const greet = (name: string): Wording => ({ en: `Hello ${name},`, de: `Guten Tag ${name}!` })

const whyAdmin = (company: string): Wording => ({
  en: `You receive this mail because you are an admin of ${company}.`,
  de: `Sie erhalten diese E-Mail, weil Sie ${company} verwalten.`,
})

const whyNamed = (company: string): Wording => ({
  en: `You receive this mail because ${company} entered this address for notices about the webhook.`,
  de: `Sie erhalten diese E-Mail, weil ${company} diese Adresse für Hinweise zu diesem Webhook eingetragen hat.`,
})
