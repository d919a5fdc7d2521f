import MimeNode from 'nodemailer/lib/mime-node'
import { because } from '@millseal/contract/reasons'
import { type MailAttachment, MailRefused } from '../../ports/mailer/mailer.ts'
import { toOneLine } from './single-address.ts'

const encoded = new WeakMap<MailAttachment, Buffer>()

/** Returns the MIME part of an attachment. It is encoded once, even if it is sent in several mails. */
export const encodeAttachment = (attachment: MailAttachment): Buffer => {
  const known = encoded.get(attachment)
  if (known !== undefined) return known
  const made = encode(attachment)
  encoded.set(attachment, made)
  return made
}

const mediaType = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*(; ?charset=[a-z0-9-]+)?$/i

const encode = ({ filename, type, content, contentId }: MailAttachment): Buffer => {
  // A child node: a root node would get a date and a message id.
  const part = new MimeNode('multipart/mixed').createChild(
    mediaType.test(type) ? type : 'application/octet-stream',
    {
      filename: toOneLine(filename).replaceAll(/[/\\]/g, '_') || 'attachment',
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  )
  part.setHeader({
    // Also for message/* and text/*, whose line ends could be changed otherwise.
    'Content-Transfer-Encoding': 'base64',
    'Content-Disposition': contentId === undefined ? 'attachment' : 'inline',
    ...(contentId !== undefined && { 'Content-ID': `<${toContentId(contentId)}>` }),
  })
  return Buffer.concat([Buffer.from(`${part.buildHeaders()}\r\n\r\n`), inBase64Lines(content)])
}

/** RFC 2045 §6.8. The streams of nodemailer take six times as long. */
const lineLength = 76
const lineEnd = 0x0d_0a

const inBase64Lines = (content: Uint8Array): Buffer => {
  const { buffer, byteOffset, byteLength } = content
  const text = Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString('base64'), 'latin1')
  const lines = Buffer.allocUnsafe(text.length + 2 * Math.ceil(text.length / lineLength))
  let end = 0
  for (let start = 0; start < text.length; start += lineLength) {
    end += text.copy(lines, end, start, start + lineLength)
    end = lines.writeUInt16BE(lineEnd, end)
  }
  return lines
}

const toContentId = (contentId: string): string => {
  if (!/^[A-Za-z0-9._@-]{1,128}$/.test(contentId)) throw new MailRefused(because('mail_picture_id_invalid'))
  return contentId
}
