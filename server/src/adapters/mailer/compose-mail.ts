import type { SendMailOptions } from 'nodemailer'
import type { Clock } from '../../ports/clock/clock.ts'
import { type Mail, MailRefused } from '../../ports/mailer/mailer.ts'
import { encodeAttachment } from './encode-attachment.ts'
import { parseSender, toOneLine, toSingleAddress } from './single-address.ts'

export type ComposerOptions = {
  /** `Name <address>` or a bare address. */
  readonly from: string
  readonly clock: Clock
}

const maxRecipients = 50
const idPattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/

/** Converts a mail for nodemailer: objects instead of strings, which could be parsed as lists, and bytes instead of paths. */
export const createComposer = ({
  from,
  clock,
}: ComposerOptions): ((mail: Mail) => Promise<SendMailOptions>) => {
  const sender = parseSender(from)
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  return async (mail) => {
    if (!idPattern.test(mail.id) || mail.id.length > 128)
      throw new MailRefused('The id of this mail is invalid')
    const to = mail.to.map(toSingleAddress)
    const cc = (mail.cc ?? []).map(toSingleAddress)
    if (to.length === 0 || to.length + cc.length > maxRecipients) {
      throw new MailRefused(`A mail has from 1 to ${maxRecipients} recipients`)
    }
    const attachments = await Promise.all((mail.attachments ?? []).map(encodeAttachment))
    return {
      from: sender,
      to,
      cc,
      messageId: `<${mail.id}@${domain}>`,
      date: new Date(clock.now()),
      subject: toOneLine(mail.subject),
      text: withMailLines(mail.text),
      html: mail.html === undefined ? undefined : withMailLines(mail.html),
      attachments: attachments.map((raw) => ({ raw })),
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  }
}

/** Done here, because nodemailer would also search the attachments for line ends. */
const withMailLines = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\r\n')
