import { paths } from '../../../http/pages/links.ts'
import type { Wording } from '../../../lib/mail-languages.ts'
import { oneLine, renderMail } from '../../../lib/mail-layout.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { findAnyHook, type StoredHook } from '../hooks/hooks.store.ts'
import { sendCompanyMail } from '../../user/index.ts'

const notices = {
  failing_for_a_day: {
    en: 'No event has reached this webhook for a day. Deliveries are retried; after five days without success the webhook is disabled.',
    de: 'Diesen Webhook hat seit einem Tag kein Ereignis erreicht. Die Zustellung wird wiederholt; nach fünf Tagen ohne Erfolg wird der Webhook ausgeschaltet.',
  },
  disabled_gone: {
    en: 'This webhook was disabled: its receiver answered 410, which asks for no more events.',
    de: 'Dieser Webhook wurde ausgeschaltet: Der Empfänger hat mit 410 geantwortet und möchte keine Ereignisse mehr.',
  },
  disabled_failing: {
    en: 'This webhook was disabled: no event has reached it for five days.',
    de: 'Dieser Webhook wurde ausgeschaltet: Ihn hat seit fünf Tagen kein Ereignis erreicht.',
  },
} as const satisfies Readonly<Record<string, Wording>>

const failing: Wording = { en: 'A webhook is failing', de: 'Ein Webhook ist nicht erreichbar' }
const disabled: Wording = { en: 'A webhook was disabled', de: 'Ein Webhook wurde ausgeschaltet' }

type HookNotice = { readonly hookId: string; readonly notice: keyof typeof notices }

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
  const heading = data.notice === 'failing_for_a_day' ? failing : disabled
  const admins = await users.findAdmins(hook.companyId)
  for (const { username, email } of readersOf(hook, admins)) {
    const to = {
      companyId: hook.companyId,
      mode: hook.mode === 'test' ? 'test' : 'live',
      kind: 'webhook',
      about: id,
      address: email,
    } as const
    await sendCompanyMail(deps, to, ({ language, companyName, unsubscribeUrl }) => {
      const greeting = username === undefined ? [] : [greet(oneLine(username))]
      const company = oneLine(companyName)
      const { text, html } = renderMail({
        languages: [language],
        heading,
        before: [...greeting, notices[data.notice]],
        facts: [
          [{ en: 'Webhook', de: 'Webhook' }, hook.name ?? hook.id],
          [{ en: 'Receiver', de: 'Empfänger' }, new URL(hook.connectionUrl).host],
        ],
        after: [
          {
            en: 'Its events are kept for a month. You can retry their deliveries.',
            de: 'Die Ereignisse bleiben einen Monat lang gespeichert. Sie können die Zustellung wiederholen.',
          },
        ],
        button: {
          label: { en: 'Open Millseal', de: 'Millseal öffnen' },
          url: `${publicUrl()}${paths.console}`,
        },
        why: username === undefined ? whyNamed(company) : whyAdmin(company),
        unsubscribe: {
          label: { en: `No more mails from ${company}`, de: `Keine E-Mails mehr von ${company}` },
          url: unsubscribeUrl,
        },
      })
      return { subject: heading[language], text, html }
    })
  }
}

type Reader = {
  readonly username: string | undefined
  readonly email: string
}

const readersOf = ({ notifyEmail }: StoredHook, admins: readonly Reader[]): readonly Reader[] =>
  notifyEmail === null || admins.some(({ email }) => email.toLowerCase() === notifyEmail.toLowerCase())
    ? admins
    : [...admins, { username: undefined, email: notifyEmail }]

const greet = (name: string): Wording => ({ en: `Hello ${name},`, de: `Guten Tag ${name},` })

const whyAdmin = (company: string): Wording => ({
  en: `You receive this mail because you are an admin of ${company}.`,
  de: `Sie erhalten diese E-Mail, weil Sie ${company} verwalten.`,
})

const whyNamed = (company: string): Wording => ({
  en: `You receive this mail because ${company} entered this address for notices about the webhook.`,
  de: `Sie erhalten diese E-Mail, weil ${company} diese Adresse für Hinweise zu diesem Webhook eingetragen hat.`,
})
