export type MailAddress = { readonly name?: string; readonly address: string }

export type Mail = {
  /** Becomes the Message-ID: the same mail sent twice can be recognised as one. */
  readonly id: string
  readonly to: readonly MailAddress[]
  readonly cc?: readonly MailAddress[]
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly attachments?: readonly MailAttachment[]
}

export type MailAttachment = {
  readonly filename: string
  readonly type: string
  readonly content: Uint8Array
}

/**
 * Hands mails over to whoever carries them.
 *
 * Resolved means: accepted for every recipient by the mail server, or on disk. `MailRefused` means that trying the same
 * mail again is pointless (a bad address, a 5xx answer, also for one recipient of several); any other rejection may be
 * retried, and recipients that had accepted then get the same Message-ID twice. Every call ends by its own deadlines.
 * No text of a mail can add a header or a recipient.
 */
export interface Mailer extends AsyncDisposable {
  /** The address all mails come from, without a name. */
  readonly sender: string
  send(mail: Mail): Promise<void>
  /** Resolves when a mail could be handed over now; rejects with the reason, at the latest when the signal aborts. */
  check(signal: AbortSignal): Promise<void>
}

export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}
