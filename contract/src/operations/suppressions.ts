import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { byId, Deleted, Id } from '../shapes/common.ts'
import { Suppression } from '../shapes/mails.ts'

const suppressions = {
  service: 'user-service',
  variant: 'current',
  access: 'user',
  companyInPath: true,
} as const

export const listSuppressions = operation({
  ...suppressions,
  id: 'suppressions.list',
  method: 'GET',
  path: '/companies/{id}/suppressions',
  summary: 'List the addresses that get no more mails of a company',
  description: 'They unsubscribed, or mails to them bounced.',
  scope: [{ resource: 'companies', action: 'read_one' }],
  memberRole: 'read_only',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Type.Array(Suppression) },
  list: true,
})

export const deleteSuppression = operation({
  ...suppressions,
  id: 'suppressions.delete',
  method: 'DELETE',
  path: '/companies/{id}/suppressions/{suppressionId}',
  summary: 'Send mails to an address again after it bounced',
  description: 'Only the receiver can undo an unsubscription, with the link in the mail.',
  scope: [{ resource: 'companies', action: 'update_one' }],
  memberRole: 'admin',
  params: Type.Object({ id: Id, suppressionId: Id }),
  answer: { kind: 'json', status: 200, schema: Deleted },
  errors: ['unsubscribed_by_receiver'],
})
