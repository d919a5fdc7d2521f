import MimeNode from 'nodemailer/lib/mime-node'
import type { MailAttachment } from '../../ports/mailer/mailer.ts'
import { toOneLine } from './single-address.ts'

const encoded = new WeakMap<MailAttachment, Promise<Buffer>>()

/** The part of a mail that carries it, with its headers: made once, into however many mails it goes. */
export const encodeAttachment = (attachment: MailAttachment): Promise<Buffer> => {
  const known = encoded.get(attachment)
  if (known !== undefined) return known
  const made = encode(attachment)
  encoded.set(attachment, made)
  return made
}

const mediaType = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*(; ?charset=[a-z0-9-]+)?$/i

const encode = async ({ filename, type, content }: MailAttachment): Promise<Buffer> => {
  // A part of something: on its own it would be a mail, with a date and an id.
  const part = new MimeNode('multipart/mixed').createChild(
    mediaType.test(type) ? type : 'application/octet-stream',
    {
      filename: toOneLine(filename).replaceAll(/[/\\]/g, '_') || 'attachment',
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  )
  part.setHeader({
    // Also for message/* and text/*, where a composer may otherwise touch line ends.
    'Content-Transfer-Encoding': 'base64',
    'Content-Disposition': 'attachment',
  })
  return await part.setContent(Buffer.from(content)).build()
}
