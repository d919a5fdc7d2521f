import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import MimeNode from 'nodemailer/lib/mime-node'
import { encodeAttachment } from './encode-attachment.ts'

const byNodemailer = (filename: string, content: Buffer): Promise<Buffer> => {
  const part = new MimeNode('multipart/mixed').createChild('application/pdf', { filename })
  part.setHeader({ 'Content-Transfer-Encoding': 'base64', 'Content-Disposition': 'attachment' })
  return part.setContent(content).build()
}

test('an attachment of any length has the bytes that nodemailer gives it', async () => {
  const filename = 'Zeugnis für Träger.pdf'
  for (const length of [0, 1, 2, 56, 57, 58, 113, 114, 115, 70_001]) {
    const content = randomBytes(length)
    const expected = await byNodemailer(filename, content)
    assert.ok(encodeAttachment({ filename, type: 'application/pdf', content }).equals(expected), `${length}`)
  }
})

test('an attachment is encoded once for several mails', () => {
  const attachment = { filename: 'a.pdf', type: 'application/pdf', content: Buffer.from('PDF') }
  assert.equal(encodeAttachment(attachment), encodeAttachment(attachment))
})
