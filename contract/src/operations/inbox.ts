import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { CertificateJson } from '../shapes/certificate-checks.ts'
import { byId } from '../shapes/common.ts'
import {
  CheckInbox,
  DecideInbox,
  FileQuery,
  InboxCounts,
  InboxEntries,
  InboxFileQuery,
  InboxQuery,
  ReadInboxEntry,
} from '../shapes/inbox.ts'

const inbox = {
  service: 'certificate-service',
  variant: 'current',
  access: 'bearer',
  company: 'required',
} as const
const read = [{ resource: 'inbox', action: 'read_many' }] as const

export const fileCertificate = operation({
  ...inbox,
  id: 'inbox.create',
  method: 'POST',
  path: '/inbox',
  summary: 'File a certificate that came with a delivery',
  description:
    'Takes a certificate as JSON, or a PDF with the JSON inside; a PDF without data is filed too. Keeps the bytes, and answers four questions: is it genuine, is it still valid, is it what was ordered, and does it meet the requirement? What was notarized for the company by its VAT id is in the same list without being filed. The same bytes again are the same entry.',
  scope: [{ resource: 'inbox', action: 'create_one' }],
  memberRole: 'clerk',
  mode: 'query',
  query: FileQuery,
  body: { kind: 'document', accepts: ['application/json', 'application/pdf'], schema: CertificateJson },
  answer: { kind: 'json', status: 201, schema: ReadInboxEntry },
  errors: ['certificate_invalid', 'requirement_invalid', 'file_too_costly', 'certificate_limit_reached'],
  limit: { perMinute: limits.filedPerMinute },
  idempotency: 'repeatable',
})

export const listInbox = operation({
  ...inbox,
  id: 'inbox.list',
  method: 'GET',
  path: '/inbox',
  summary: 'List and search what the company received',
  description:
    'Filed certificates, and those that were notarized for the company once it is verified; newest first. Every filter narrows the list.',
  scope: read,
  mode: 'query',
  query: InboxQuery,
  answer: { kind: 'json', status: 200, schema: InboxEntries },
  list: true,
})

export const countInbox = operation({
  ...inbox,
  id: 'inbox.count',
  method: 'GET',
  path: '/inbox/counts',
  summary: 'Count what is to be decided',
  scope: read,
  mode: 'query',
  answer: { kind: 'json', status: 200, schema: InboxCounts },
})

export const readInboxEntry = operation({
  ...inbox,
  id: 'inbox.read',
  method: 'GET',
  path: '/inbox/{id}',
  summary: 'Read what the company received, with each line of the check and all decisions',
  scope: [{ resource: 'inbox', action: 'read_one' }],
  mode: 'record',
  params: byId,
  answer: { kind: 'json', status: 200, schema: ReadInboxEntry },
})

export const readInboxFile = operation({
  ...inbox,
  id: 'inbox.read_file',
  method: 'GET',
  path: '/inbox/{id}/file',
  summary: 'Download what the company received',
  description: `Kept for ${limits.inbox.keptYears} years, whatever the issuer deletes.`,
  scope: [{ resource: 'inbox', action: 'read_one' }],
  mode: 'record',
  params: byId,
  query: InboxFileQuery,
  answer: { kind: 'content', status: 200, types: ['application/json', 'application/pdf'] },
})

export const decideInbox = operation({
  ...inbox,
  id: 'inbox.decide',
  method: 'POST',
  path: '/inbox/decide',
  summary: 'Accept, reject or archive what the company received',
  description: `All of them or none. Accepting without a concession is refused for what does not meet everything. The decision keeps the hash of the requirement that it was made with. Repeating a decision changes nothing; it can be taken back for a day. Issuers whose certificate names the company hear it by the events \`inbox/accept_one\` and \`inbox/reject_one\`.`,
  scope: [{ resource: 'inbox', action: 'decide_many' }],
  memberRole: 'clerk',
  mode: 'record',
  body: { kind: 'json', schema: DecideInbox },
  answer: { kind: 'json', status: 200, schema: InboxEntries },
  errors: ['inbox_not_met', 'inbox_decided', 'not_found'],
})

export const undoInboxDecision = operation({
  ...inbox,
  id: 'inbox.undo',
  method: 'POST',
  path: '/inbox/{id}/undo',
  summary: 'Take back the last decision',
  description:
    'Within a day of the decision, by an entry of its own: what was decided stays in the history. The entry is open again, and is answered again.',
  scope: [{ resource: 'inbox', action: 'decide_many' }],
  memberRole: 'clerk',
  mode: 'record',
  params: byId,
  answer: { kind: 'json', status: 200, schema: ReadInboxEntry },
  errors: ['inbox_not_decided', 'inbox_undo_too_late'],
})

export const checkInbox = operation({
  ...inbox,
  id: 'inbox.check',
  method: 'POST',
  path: '/inbox/check',
  summary: 'Answer open entries again, against a requirement',
  description:
    'Chooses the requirement `against` for them, or none. Decided entries keep what they were decided with, and are refused.',
  scope: [{ resource: 'inbox', action: 'update_many' }],
  memberRole: 'clerk',
  mode: 'record',
  body: { kind: 'json', schema: CheckInbox },
  answer: { kind: 'json', status: 200, schema: InboxEntries },
  errors: ['requirement_invalid', 'inbox_decided', 'not_found'],
  limit: { perMinute: limits.checksPerMinute },
  idempotency: 'repeatable',
})
