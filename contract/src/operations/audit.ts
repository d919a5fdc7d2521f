import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { AuditEntry, auditExport, auditFilter, AuditVerification } from '../shapes/audit.ts'

export const listAuditEntries = operation({
  service: 'user-service',
  variant: 'current',
  access: 'user',
  admin: true,
  id: 'audit.list',
  method: 'GET',
  path: '/audit',
  summary: 'List the entries of the audit log',
  description: `Newest first. Every filter narrows the list; a text must match completely. The first page has the headers \`X-Total-Count\`, at most ${limits.countedEntries}, and \`X-Total-Count-Exact\`, which is false if there are more.`,
  query: auditFilter,
  answer: { kind: 'json', status: 200, schema: Type.Array(AuditEntry) },
  list: true,
})

export const exportAuditEntries = operation({
  service: 'user-service',
  variant: 'current',
  access: 'user',
  admin: true,
  id: 'audit.export',
  method: 'GET',
  path: '/audit/export',
  summary: 'Export entries of the audit log',
  description: `The filters of the list, newest first, at most ${limits.auditExport} entries. If there are more, the header \`link\` has the address of the next part.`,
  query: auditExport,
  answer: { kind: 'content', status: 200, types: ['text/csv', 'application/x-ndjson'] },
  limit: { perMinute: limits.auditReadsPerMinute },
})

export const verifyAuditLog = operation({
  service: 'km-service',
  variant: 'current',
  access: 'user',
  admin: true,
  id: 'audit.verify',
  method: 'GET',
  path: '/audit/verification',
  summary: 'Verify the hash chain of the audit log',
  description:
    'Reads the whole log, and compares its chain with the heads that the live log has: see docs/audit.md of the source.',
  answer: { kind: 'json', status: 200, schema: AuditVerification },
  limit: { perMinute: limits.auditReadsPerMinute },
})
