import type { Reason } from '@millseal/contract/reasons'
import { ExplainedError } from '../../lib/explained-error.ts'

export type MailAddress = { readonly name?: string; readonly address: string }

export type Mail = {
  /** Becomes the Message-ID, so that a mail that is sent twice is recognized as one. */
  readonly id: string
  /** Whose mail the service sends, in the name of the sender: `Rolling Mill via Millseal`. */
  readonly onBehalfOf?: string | undefined
  readonly to: readonly MailAddress[]
  readonly cc?: readonly MailAddress[]
  /** Where answers go. Left out of the mail if it is not a single mail address. */
  readonly replyTo?: MailAddress
  /** Lets the recipient unsubscribe with one click (RFC 8058): a POST to this address works without a session. */
  readonly unsubscribeUrl?: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly attachments?: readonly MailAttachment[]
}

export type MailAttachment = {
  readonly filename: string
  readonly type: string
  readonly content: Uint8Array
  /** Makes it a picture that the HTML shows as `cid:<contentId>`. */
  readonly contentId?: string
}

/** A mail that was written to a file. */
export type WrittenMail = {
  readonly id: string
  readonly writtenAt: Date
  readonly to: readonly string[]
  readonly subject: string
}

export type ReadMail = WrittenMail & {
  readonly from: string
  readonly text: string
  readonly html: string | undefined
  readonly attachments: readonly (Omit<MailAttachment, 'contentId'> & {
    readonly contentId: string | undefined
  })[]
}

/** The files of a mailer that writes mails into a folder. */
export interface MailFolder {
  /** Newest first. `text` are beginnings of words of receivers and subject. */
  list(wanted: {
    readonly text: string | undefined
    readonly after: string | undefined
    readonly limit: number
  }): Promise<WrittenMail[]>
  read(id: string): Promise<ReadMail | undefined>
}

/**
 * Sends mails.
 *
 * `send` resolves when the mail server has accepted the mail for every recipient, or the mail is on disk. `MailRefused`
 * means that a retry cannot help: a bad address, or a 5xx answer, even for one of several recipients. Any other rejection
 * can be retried; recipients that had already accepted the mail then get the same Message-ID twice. Every call ends by its
 * own deadlines. No text of a mail can add a header or a recipient. Every mail says that a machine wrote it
 * (RFC 3834), so that absence notices do not answer it.
 */
export interface Mailer extends AsyncDisposable {
  /** The sender address of all mails, without a name. */
  readonly sender: string
  /** Undefined if mails are handed to a mail server. */
  readonly folder?: MailFolder | undefined
  send(mail: Mail): Promise<void>
  /** Resolves if a mail can be sent now. Rejects with the reason, at the latest when the signal aborts. */
  check(signal: AbortSignal): Promise<void>
}

export class MailRefused extends ExplainedError {
  override readonly name = 'MailRefused'
  override readonly because: Reason

  constructor(because: Reason, options?: ErrorOptions) {
    super(because, options)
    this.because = because
  }
}
