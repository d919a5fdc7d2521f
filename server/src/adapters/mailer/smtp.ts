import type { Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import { because } from '@millseal/contract/reasons'
import { ExplainedError } from '../../lib/explained-error.ts'
import type { Secret } from '../../lib/secret.ts'
import { type Mailer, MailRefused } from '../../ports/mailer/mailer.ts'
import { type ComposerOptions, createComposer } from './compose-mail.ts'
import { parseSender } from './single-address.ts'
import { deadlineSignal } from '../../lib/deadline.ts'
import { openSmtpSocket, type SmtpAddress } from './smtp-socket.ts'

export type SmtpOptions = ComposerOptions & {
  /** `smtps://user:password@host:port`, or `smtp://` with STARTTLS where the server offers it. */
  readonly url: Secret
  /** For connecting, for the greeting and for each pause of the server. Default: 10 seconds. */
  readonly timeoutMs?: number
}

const maxConnections = 4
/** The time limit for one mail, in timeouts, for a server that answers slowly but steadily. */
const timeoutsPerMail = 6
/** For the timers of nodemailer, which do not know that this process was stopped. */
const lastResort = 30

export const createSmtpMailer = (options: SmtpOptions): Mailer => {
  const { url, timeoutMs = 10_000 } = options
  const compose = createComposer(options)
  const transport = createTransport({
    pool: true,
    url: url.reveal(),
    maxConnections,
    maxRequeues: 0,
    getSocket: (_given: unknown, callback: OnSocket) => {
      openSmtpSocket(addressOf(new URL(url.reveal())), timeoutMs).then(
        (connection) => callback(null, { connection }),
        callback,
      )
    },
    connectionTimeout: timeoutMs * lastResort,
    greetingTimeout: timeoutMs * lastResort,
    socketTimeout: timeoutMs * lastResort,
    requireTLS: sendsPasswordInClear(new URL(url.reveal())),
  })
  transport.on('error', () => {})

  return {
    sender: parseSender(options.from).address,
    async send(mail) {
      const message = compose(mail)
      const signal = deadlineSignal(timeoutMs * timeoutsPerMail)
      const answer = await transport.sendMail({ ...message, signal }).catch((error: unknown) => {
        throw toMailError(error)
      })
      const [rejection, ...others] = answer.rejectedErrors ?? []
      if (rejection === undefined) return
      const temporary = [rejection, ...others].find((error) => !isPermanent(error))
      throw toMailError(temporary ?? rejection)
    },
    async check(signal) {
      const { promise: aborted, reject } = Promise.withResolvers<never>()
      const abort = (): void =>
        reject(new ExplainedError(because('mail_server_silent'), { cause: signal.reason }))
      if (signal.aborted) abort()
      signal.addEventListener('abort', abort, { once: true })
      try {
        await Promise.race([transport.verify(), aborted])
      } catch (error) {
        throw toMailError(error)
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
    async [Symbol.asyncDispose]() {
      transport.close()
    },
  }
}

type OnSocket = (error: Error | null, opened?: { readonly connection: Socket }) => void

const addressOf = ({ protocol, hostname, port }: URL): SmtpAddress => {
  const usual = protocol === 'smtps:' ? 465 : 587
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
}

const sendsPasswordInClear = ({ protocol, hostname, username }: URL): boolean =>
  protocol === 'smtp:' && username !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)

const answerOf = (
  error: unknown,
): { readonly code?: string; readonly command?: string; readonly responseCode?: number } => {
  if (!(error instanceof Error)) return {}
  const { code, command, responseCode } = error as Partial<
    Record<'code' | 'command' | 'responseCode', unknown>
  >
  return {
    code: typeof code === 'string' ? code : undefined,
    command: typeof command === 'string' ? command : undefined,
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
  }
}

/** The error must be about this mail. A wrong password (530, 535) or a server that refuses every client is not. */
const isPermanent = (error: unknown): boolean => {
  const { code, responseCode = 0 } = answerOf(error)
  const aboutTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return aboutTheMail && responseCode >= 500 && responseCode !== 530
}

/** The text of a server often contains addresses, so only its code may be logged. */
const toMailError = (error: unknown): Error => {
  const { code, command, responseCode } = answerOf(error)
  if (responseCode === undefined) {
    return new ExplainedError(because('mail_server_unusable', { why: code ?? 'no answer' }), { cause: error })
  }
  const answer =
    command === undefined
      ? because('mail_server_answered', { status: responseCode })
      : because('mail_server_answered_to', { status: responseCode, command })
  return new (isPermanent(error) ? MailRefused : ExplainedError)(answer, { cause: error })
}
