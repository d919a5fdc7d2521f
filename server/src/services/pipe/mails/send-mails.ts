import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '@millseal/contract'
import { MailRefused } from '../../../ports/mailer/mailer.ts'
import { nextAttemptAt } from '../deliveries/schedule.ts'
import type { Pace, PipeDependencies } from '../dependencies.ts'
import { type Loop, startLoop } from '../relay/loop.ts'
import { messageIdOf } from './message-id.ts'
import { findPayload } from './mails.store.ts'
import { type ClaimedMail, claimMails, recordMailResult } from './sending.store.ts'

/** At once, in this process: as many as a mailer has connections. */
const slots = 4
/** Longer than the mailer itself takes for one mail, whatever its server does. */
const leaseMs = 180_000
const stopMs = 5_000

type Deps = Pick<PipeDependencies, 'database' | 'mailer' | 'clock' | 'log'>

/** Claims what is due, sends it, and writes down what came of it, until it is disposed of. */
export const startSendingMails = (deps: Deps, { idleMs }: Pick<Pace, 'idleMs'>): Loop => {
  const { database, clock, log } = deps
  const underWay = new Set<string>()

  const attempt = async (mail: ClaimedMail): Promise<void> => {
    try {
      await sendMail(deps, mail)
    } catch (error) {
      log.error({ err: error, mailId: mail.id }, 'a mail is left to be claimed again')
    } finally {
      underWay.delete(mail.id)
      claiming.wake()
    }
  }

  const claimSome = async (): Promise<boolean> => {
    const limit = slots - underWay.size
    if (limit <= 0) return false
    const now = clock.now()
    const claimed = await claimMails(database.query, {
      claim: randomUUID(),
      now: new Date(now),
      leaseUntil: new Date(now + leaseMs),
      limit,
    })
    for (const mail of claimed) {
      underWay.add(mail.id)
      void attempt(mail)
    }
    return claimed.length > 0
  }

  const claiming = startLoop({ name: 'claiming mails', pass: claimSome, idleMs, log })
  return {
    wake: claiming.wake,
    async [Symbol.asyncDispose]() {
      await claiming[Symbol.asyncDispose]()
      const until = performance.now() + stopMs
      while (underWay.size > 0 && performance.now() < until) await delay(10)
    },
  }
}

const sendMail = async ({ database, mailer, clock, log }: Deps, mail: ClaimedMail): Promise<void> => {
  const payload = await findPayload(database.query, mail.eventId)
  if (payload === undefined) return
  const startedAt = new Date(clock.now())
  const began = performance.now()
  const failure = await mailer
    .send({
      id: messageIdOf(mail),
      to: [{ address: mail.recipient }],
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      attachments: [
        {
          filename: mail.attachmentName,
          type: 'application/json',
          content: payload,
        },
      ],
    })
    .then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
  const durationMs = Math.round(performance.now() - began)
  const refused = failure?.error instanceof MailRefused ? failure.error : undefined
  if (failure !== undefined) log.warn({ mailId: mail.id, err: failure.error }, 'a mail was not taken')
  const nowMs = clock.now()
  const next =
    failure === undefined || refused !== undefined
      ? undefined
      : nextAttemptAt({ tries: mail.tries + 1, nowMs, retryAfter: undefined, random: Math.random() })
  await database.transaction((tx) =>
    recordMailResult(
      tx,
      {
        mail,
        startedAt,
        durationMs,
        error: failure && (refused?.message.slice(0, limits.deliveryError.maxLength) ?? notNow),
        nextAttemptAt: next === undefined ? undefined : new Date(next),
      },
      new Date(nowMs),
    ),
  )
}

/** Why is the operator's business, and in the log: it may name hosts and files. */
const notNow = 'The mail server did not take it'
