import { type Static, Type } from 'typebox'
import { Id, output, Timestamp } from './common.ts'

const writtenMail = {
  id: Id,
  writtenAt: Timestamp,
  to: Type.Array(Type.String()),
  subject: Type.String(),
}

export const WrittenMail = output('WrittenMailDto', writtenMail)
export type WrittenMail = Static<typeof WrittenMail>

export const WrittenMailContent = output('WrittenMailContentDto', {
  ...writtenMail,
  from: Type.String(),
  text: Type.String(),
  html: Type.Optional(Type.String({ description: 'With its pictures. Show it in a sandbox' })),
  attachments: Type.Array(
    output('WrittenAttachmentDto', {
      filename: Type.String(),
      type: Type.String(),
      bytes: Type.Integer({ minimum: 0 }),
    }),
  ),
})
export type WrittenMailContent = Static<typeof WrittenMailContent>
