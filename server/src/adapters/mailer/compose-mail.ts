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

const mostRecipients = 50
const idPattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/

/** From our mail to the composer's: objects instead of strings that could be read as lists, bytes instead of paths. */
export const createComposer = ({
  from,
  clock,
}: ComposerOptions): ((mail: Mail) => Promise<SendMailOptions>) => {
  const sender = parseSender(from)
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  return async (mail) => {
    if (!idPattern.test(mail.id) || mail.id.length > 128)
      throw new MailRefused('The id of this mail is unusable')
    const to = mail.to.map(toSingleAddress)
    const cc = (mail.cc ?? []).map(toSingleAddress)
    if (to.length === 0 || to.length + cc.length > mostRecipients) {
      throw new MailRefused(`A mail has from 1 to ${mostRecipients} recipients`)
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
      ...(mail.html === undefined ? {} : { html: withMailLines(mail.html) }),
      attachments: attachments.map((raw) => ({ raw })),
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  }
}

/** Here, where it is a few lines: the composer would look for line ends in every byte of the attachments too. */
const withMailLines = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\r\n')
