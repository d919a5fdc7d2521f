import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { AuditEntry, auditFilter } from '../shapes/audit.ts'

export const listAuditEntries = operation({
  service: 'user-service',
  variant: 'current',
  access: 'user',
  admin: true,
  id: 'audit.list',
  method: 'GET',
  path: '/audit',
  summary: 'List the entries of the audit log',
  description: 'Newest first. Every filter narrows the list; a text must match completely.',
  query: auditFilter,
  answer: { kind: 'json', status: 200, schema: Type.Array(AuditEntry) },
  list: true,
})
