import type { SendMailOptions } from 'nodemailer'
import { because } from '@millseal/contract/reasons'
import type { Clock } from '../../ports/clock/clock.ts'
import { type Mail, type MailAddress, MailRefused } from '../../ports/mailer/mailer.ts'
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
export const createComposer = ({ from, clock }: ComposerOptions): ((mail: Mail) => SendMailOptions) => {
  const sender = parseSender(from)
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  return (mail) => {
    if (!idPattern.test(mail.id) || mail.id.length > 128) throw new MailRefused(because('mail_id_invalid'))
    const to = mail.to.map(toSingleAddress)
    const cc = (mail.cc ?? []).map(toSingleAddress)
    if (to.length === 0 || to.length + cc.length > maxRecipients) {
      throw new MailRefused(because('mail_recipients', { most: maxRecipients }))
    }
    const attachments = (mail.attachments ?? []).map((attachment) => ({
      raw: encodeAttachment(attachment),
      cid: attachment.contentId,
    }))
    return {
      from: senderOf(mail, sender),
      to,
      cc,
      replyTo: usable(mail.replyTo),
      headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail.unsubscribeUrl) },
      messageId: `<${mail.id}@${domain}>`,
      date: new Date(clock.now()),
      subject: toOneLine(mail.subject),
      text: withMailLines(mail.text),
      html: mail.html === undefined ? undefined : withMailLines(mail.html),
      attachments,
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  }
}

/** A mail program that shows no address must still show that the service sent the mail. */
const senderOf = ({ onBehalfOf }: Mail, sender: Required<MailAddress>): Required<MailAddress> => {
  if (onBehalfOf === undefined) return sender
  const service = sender.name === '' ? sender.address.slice(sender.address.lastIndexOf('@') + 1) : sender.name
  return { ...sender, name: `${toOneLine(onBehalfOf).replaceAll('@', ' ')} via ${service}` }
}

const usable = (address: MailAddress | undefined): Required<MailAddress> | undefined => {
  if (address === undefined) return undefined
  try {
    return toSingleAddress(address)
  } catch (error) {
    if (error instanceof MailRefused) return undefined
    throw error
  }
}

/** RFC 2369, and RFC 8058, which requires HTTPS. */
const unsubscribeHeaders = (address: string | undefined): NonNullable<SendMailOptions['headers']> => {
  if (address === undefined) return {}
  const url = new URL(address)
  return {
    'List-Unsubscribe': { prepared: true, value: `<${url.href}>` },
    ...(url.protocol === 'https:' && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
}

/** Done here, because nodemailer would also search the attachments for line ends. */
const withMailLines = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\r\n')
