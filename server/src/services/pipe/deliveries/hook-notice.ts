import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { findAnyHook } from '../hooks/hooks.store.ts'

const notices = {
  failing_for_a_day:
    'No event has reached this webhook for a day. Deliveries are retried; after five days without success the webhook is disabled.',
  disabled_gone: 'This webhook was disabled: its receiver answered 410, which asks for no more events.',
  disabled_failing: 'This webhook was disabled: no event has reached it for five days.',
} as const

type HookNotice = { readonly hookId: string; readonly notice: keyof typeof notices }

export const hookNotice: JobKind<HookNotice> = {
  name: 'pipe-hook-notice',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

/** Mails every admin of the company. */
export const sendHookNotice = async (
  { database, users, mailer, log, publicUrl }: PipeDependencies,
  { id, data }: Job<HookNotice>,
): Promise<void> => {
  const hook = await findAnyHook(database.query, data.hookId)
  if (hook === undefined) return
  const admins = await users.findAdmins(hook.companyId)
  for (const [index, { username, email }] of admins.entries()) {
    await mailer
      .send({
        id: `${id}-${index}`,
        to: [{ name: username, address: email }],
        subject: data.notice === 'failing_for_a_day' ? 'A webhook is failing' : 'A webhook was disabled',
        text: [
          `Hello ${username},`,
          '',
          `Webhook ${hook.name ?? hook.id} (${new URL(hook.connectionUrl).host})`,
          '',
          notices[data.notice],
          '',
          'Its events are kept for a month. You can retry their deliveries.',
          '',
          publicUrl(),
        ].join('\n'),
      })
      .catch((error: unknown) => {
        if (!(error instanceof MailRefused)) throw error
        log.warn({ hookId: hook.id, reason: error.message }, 'a mail about a webhook was refused')
      })
  }
}
