import { randomUUID } from 'node:crypto'
import { limits } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { fitsInMail } from '../../../lib/mail-size.ts'
import { storedReasons } from '../../../lib/stored-reasons.ts'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import { eventAttributes, eventSpan } from '../../../ports/tracer/known-spans.ts'
import { nextAttemptAt } from '../deliveries/schedule.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { type Loop, startLoop } from '../../../lib/loop.ts'
import { within } from '../../../lib/within.ts'
import { withUnsubscribeLink } from './hidden-unsubscribe-link.ts'
import { findEvent, type MailedEvent } from './mails.store.ts'
import { messageIdOf } from './message-id.ts'
import { type ClaimedMail, claimMails, recordMailResult } from './sending.store.ts'

/** At once, in this process: the number of connections of a mailer. */
const slots = 4
/** Longer than the deadlines of the mailer for one mail. */
const leaseMs = 180_000
const stopMs = 5_000

/** Claims due mails, sends them and records the results until it is disposed of. */
export const startSendingMails = (deps: PipeDependencies): Loop => {
  const { database, clock, log } = deps
  const running = new Map<string, Promise<void>>()

  const attempt = async (mail: ClaimedMail): Promise<void> => {
    try {
      await sendMail(deps, mail)
    } catch (error) {
      log.error({ err: error, mailId: mail.id }, 'a mail will be claimed again')
    } finally {
      running.delete(mail.id)
      claiming.wake()
    }
  }

  const claimSome = async (): Promise<boolean> => {
    const limit = slots - running.size
    if (limit <= 0) return false
    const now = clock.now()
    const claimed = await claimMails(database.query, {
      claim: randomUUID(),
      now: new Date(now),
      leaseUntil: new Date(now + leaseMs),
      except: [...running.keys()],
      limit,
    })
    for (const mail of claimed) running.set(mail.id, attempt(mail))
    return claimed.length > 0
  }

  const claiming = startLoop({ name: 'claiming mails', pass: claimSome, log })
  return {
    wake: claiming.wake,
    async [Symbol.asyncDispose]() {
      await claiming[Symbol.asyncDispose]()
      await within(stopMs, Promise.all(running.values()))
    },
  }
}

const sendMail = async (deps: PipeDependencies, mail: ClaimedMail): Promise<void> => {
  const { database, clock, log } = deps
  const event = await findEvent(database.query, mail.eventId)
  if (event === undefined) return
  const startedAt = new Date(clock.now())
  const started = performance.now()
  const failure = await tracedHandOver(deps, mail, event).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  const durationMs = Math.round(performance.now() - started)
  const refused = failure?.error instanceof MailRefused ? failure.error : undefined
  if (failure !== undefined) log.warn({ mailId: mail.id, err: failure.error }, 'a mail was not accepted')
  const nowMs = clock.now()
  const next =
    failure === undefined || refused !== undefined
      ? undefined
      : nextAttemptAt({ tries: mail.tries + 1, nowMs, retryAfter: undefined, random: Math.random() })
  const result = {
    mail,
    startedAt,
    durationMs,
    failure: failure && storedReasons([refused?.because ?? notAccepted], limits.deliveryError.maxLength),
    nextAttemptAt: next === undefined ? undefined : new Date(next),
  }
  await database.transaction((tx) => recordMailResult(tx, result, new Date(nowMs)))
}

/** The cause is for the operator only, in the log: it may name hosts and files. */
const notAccepted = because('mail_not_accepted')

const tracedHandOver = (deps: PipeDependencies, mail: ClaimedMail, event: MailedEvent): Promise<void> => {
  const parent = eventSpan(event, 'write')
  const span = { name: 'send mail', kind: 'client', parent, attributes: eventAttributes(event) } as const
  return deps.tracer.run(span, () => handOver(deps, mail, event.payload))
}

const handOver = async (
  { mailer, users, mailBytes }: PipeDependencies,
  mail: ClaimedMail,
  content: Uint8Array,
): Promise<void> => {
  const { companyId, recipient: address } = mail
  const { hasUnsubscribed, url } = await users.findUnsubscription({ companyId, address })
  if (hasUnsubscribed) throw new MailRefused(because('not_sent_unsubscribed'))
  await mailer.send({
    id: messageIdOf(mail),
    to: [{ address }],
    unsubscribeUrl: url,
    subject: mail.subject,
    text: withUnsubscribeLink(mail.textContent, url),
    html: withUnsubscribeLink(mail.htmlContent, url),
    attachments: fitsInMail(content.length, mailBytes)
      ? [{ filename: mail.attachmentName, type: 'application/json', content }]
      : [],
  })
}
