import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, idOf } from '../shapes/common.ts'
import { deliveryFilter } from '../shapes/deliveries.ts'
import { Mail } from '../shapes/mails.ts'

const mails = {
  service: 'pipe-service',
  variant: 'current',
  access: 'bearer',
  company: 'required',
  mode: 'record',
} as const

export const listMails = operation({
  ...mails,
  id: 'mails.list',
  method: 'GET',
  path: '/mails',
  summary: 'List the e-mails of the past month',
  description: `Newest first. The answer has one record for each event, mail hook and address. The first page has the headers \`X-Total-Count\`, at most ${limits.countedEntries}, and \`X-Total-Count-Exact\`, which is false if there are more.`,
  scope: [{ resource: 'mails', action: 'read_many' }],
  query: Type.Object({
    mailhook: Type.Optional(idOf('Only those of this mail hook')),
    text: Type.Optional(
      Type.String({
        ...limits.searchText,
        description:
          'Words or beginnings of words, in any order, all of which occur in the address of the receiver or in the subject. Case does not matter',
      }),
    ),
    ...deliveryFilter,
  }),
  answer: { kind: 'json', status: 200, schema: Type.Array(Mail) },
  list: true,
})

export const readMail = operation({
  ...mails,
  id: 'mails.read',
  method: 'GET',
  path: '/mails/{id}',
  summary: 'Read an e-mail and its delivery attempts',
  scope: [{ resource: 'mails', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Mail },
})

export const readMailContent = operation({
  ...mails,
  id: 'mails.read_content',
  method: 'GET',
  path: '/mails/{id}/content',
  summary: 'Read the HTML of an e-mail',
  description: 'The answer allows no scripts and loads nothing.',
  scope: [{ resource: 'mails', action: 'read_one' }],
  params: byId,
  answer: { kind: 'content', status: 200, types: ['text/html'] },
})

export const retryMail = operation({
  ...mails,
  id: 'mails.retry',
  method: 'POST',
  alsoMethods: ['PATCH'],
  path: '/mails/{id}/retry',
  summary: 'Retry the delivery of an e-mail',
  scope: [{ resource: 'mails', action: 'retry_one' }],
  memberRole: 'operator',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Mail },
  errors: ['delivery_not_failed'],
})
