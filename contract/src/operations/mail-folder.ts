import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId } from '../shapes/common.ts'
import { WrittenMail, WrittenMailContent } from '../shapes/mail-folder.ts'

const mailFolder = { service: 'user-service', variant: 'current', access: 'user', admin: true } as const

export const listWrittenMails = operation({
  ...mailFolder,
  id: 'mail_folder.list',
  method: 'GET',
  path: '/mail-folder',
  summary: 'List the mails in the folder of an installation without a mail server',
  description: `Newest first. With a mail server (\`SMTP_URL\`) there is no such folder: 404. The first page has the headers \`X-Total-Count\`, at most ${limits.countedEntries}, and \`X-Total-Count-Exact\`, which is false if there are more.`,
  query: Type.Object({
    text: Type.Optional(
      Type.String({
        ...limits.searchText,
        description:
          'Words or beginnings of words, in any order, all of which occur in the addresses of the receivers or in the subject. Case does not matter',
      }),
    ),
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(WrittenMail) },
  errors: ['not_found'],
  list: true,
})

export const readWrittenMail = operation({
  ...mailFolder,
  id: 'mail_folder.read',
  method: 'GET',
  path: '/mail-folder/{id}',
  summary: 'Read a mail in the folder as its receiver sees it',
  description: 'The tokens in its links are masked: they would open the account of the receiver.',
  params: byId,
  answer: { kind: 'json', status: 200, schema: WrittenMailContent },
})
