import { operations, type WrittenMailContent } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { type Binding, bindTo } from '../../../http/binding.ts'
import { listPage, tellTotal } from '../../../http/page.ts'
import { maskTokens } from '../../../lib/mask-tokens.ts'
import { Problem } from '../../../lib/problem.ts'
import type { MailFolder, ReadMail } from '../../../ports/mailer/mailer.ts'
import type { UserDependencies } from '../dependencies.ts'

export const mailFolderRoutes = (deps: UserDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.listWrittenMails, async ({ mailer }, call) => {
      const folder = requireFolder(mailer.folder)
      const { text } = call.query
      const mails = await listPage(
        call,
        (page) => folder.list({ ...page, text }),
        ({ id }) => id,
      )
      await tellTotal(call, async (limit) => (await folder.list({ text, after: undefined, limit })).length)
      return mails.map(({ writtenAt, to, ...mail }) => ({
        ...mail,
        to: [...to],
        writtenAt: writtenAt.toISOString(),
      }))
    }),
    bind(operations.readWrittenMail, async ({ mailer }, { params }) => {
      const mail = await requireFolder(mailer.folder).read(params.id.toLowerCase())
      if (mail === undefined) throw new Problem('not_found')
      return toResponse(mail)
    }),
  ]
}

const requireFolder = (folder: MailFolder | undefined): MailFolder => {
  if (folder !== undefined) return folder
  throw new Problem('not_found', { reasons: [because('mails_are_sent')] })
}

const toResponse = ({ writtenAt, to, text, html, attachments, ...mail }: ReadMail): WrittenMailContent => ({
  ...mail,
  to: [...to],
  writtenAt: writtenAt.toISOString(),
  text: maskTokens(text),
  html: html === undefined ? undefined : withPictures(maskTokens(html), attachments),
  attachments: attachments.map(({ filename, type, content }) => ({ filename, type, bytes: content.length })),
})

/** Mail programs show pictures by the content id of an attachment; browsers need them in the page. */
const withPictures = (html: string, attachments: ReadMail['attachments']): string => {
  let shown = html
  for (const { contentId, type, content } of attachments) {
    if (contentId === undefined || !/^image\/(png|jpeg)$/.test(type)) continue
    const data = `data:${type};base64,${Buffer.from(content).toString('base64')}`
    shown = shown.replaceAll(`cid:${contentId}`, data)
  }
  return shown
}
