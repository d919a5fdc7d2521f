import type { Transaction } from '../../../ports/database/database.ts'
import type { Job, JobKind } from '../../../ports/jobs/jobs.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { toHookResponse } from '../hooks/hook-response.ts'
import { findAnyHook, saveHook } from '../hooks/hooks.store.ts'
import { recordHookChange } from '../hooks/record-hook-change.ts'

const notices = {
  failing_for_a_day:
    'No event has reached this webhook for a day. It is tried again and again; after five days without success it is disabled.',
  disabled_gone: 'This webhook was disabled: its receiver answered 410, which means that it wants no more.',
  disabled_failing: 'This webhook was disabled: no event has reached it for five days.',
} as const

type Trouble = { readonly hookId: string; readonly notice: keyof typeof notices }

export const hookNotice: JobKind<Trouble> = {
  name: 'pipe-hook-notice',
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
}

type Disabling = { readonly hookId: string; readonly reason: 'gone' | 'failing'; readonly now: Date }

/** By the service itself; what is still to be delivered waits until somebody enables it again. */
export const disableHook = async (
  deps: PipeDependencies,
  tx: Transaction,
  { hookId, reason, now }: Disabling,
): Promise<void> => {
  const hook = await findAnyHook(tx, hookId)
  if (hook === undefined) return
  const disabled = { ...hook, status: 'disabled', updatedAt: now } as const
  await saveHook(tx, disabled)
  const owner = await deps.users.findCompany(tx, hook.companyId)
  if (owner === undefined) return
  await recordHookChange(deps, tx, {
    audited: 'hooks.disable',
    action: 'update_one',
    hook: toHookResponse(disabled, owner),
    by: undefined,
    details: { reason },
  })
  await deps.jobs.enqueue(tx, hookNotice, { hookId, notice: `disabled_${reason}` })
}

/** To everybody who runs the company. */
export const sendHookNotice =
  ({ database, users, mailer, log, publicUrl }: PipeDependencies) =>
  async ({ id, data }: Job<Trouble>): Promise<void> => {
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
            'Its events are kept for a month and can be delivered again.',
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
