import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  checkResults,
  inboxAdvices,
  inboxDecisions,
  inboxFiles,
  inboxSources,
  inboxStates,
  uncheckedReasons,
  verdicts,
} from '../vocabulary.ts'
import { Caller } from './certificate-lists.ts'
import { SelfCheckFinding } from './certificate-checks.ts'
import { CertificateSummary } from './certificates.ts'
import { Id, idOf, input, listOf, ModeValue, oneOf, output, Timestamp } from './common.ts'
import { CheckedOrder, comparedOrder } from './orders.ts'
import { CheckLine } from './requirement-checks.ts'
import { Verification } from './verifications.ts'

const CheckedRequirement = output('InboxRequirementDto', {
  name: Type.String(),
  hash: Type.String({
    description: 'SHA-256 of the canonical JSON of the requirement and all that it includes, hex',
  }),
  parts: Type.Array(Type.String(), {
    description:
      'The hashes of the requirement and of all that it includes, in their order: `GET /requirements?hash=` finds each',
  }),
})

const InboxCheck = output('InboxCheckDto', {
  verdict: oneOf(checkResults),
  requirement: CheckedRequirement,
  lines: Type.Integer({ minimum: 0, description: 'The number of limits and heats that were compared' }),
  met: Type.Integer({ minimum: 0, description: 'How many of them are met' }),
  worst: Type.Optional(CheckLine),
})

export const InboxDecisionEntry = output('InboxDecisionDto', {
  decision: oneOf([...inboxDecisions, 'undone'], {
    description: 'undone: the decision before was taken back',
  }),
  at: Timestamp,
  by: Type.Optional(Caller),
  reason: Type.Optional(Type.String()),
  verdict: Type.Optional(oneOf(verdicts, { description: 'What the verification said then' })),
  check: Type.Optional(oneOf(checkResults, { description: 'What the check said then' })),
  requirement: Type.Optional(CheckedRequirement),
  order: Type.Optional(CheckedOrder),
  undoUntil: Type.Optional(
    Type.String({ format: 'date-time', description: 'Until then it can be taken back' }),
  ),
})
export type InboxDecisionEntry = Static<typeof InboxDecisionEntry>

const entry = {
  id: Id,
  mode: ModeValue,
  source: oneOf(inboxSources, {
    description:
      'notarized: it names the VAT id of the company as receiver; filed: it was sent to `POST /inbox`',
  }),
  certificate: Type.Optional(
    idOf('The notarized certificate, if it names the company as receiver: `GET /certificates/{id}`'),
  ),
  fileName: Type.Optional(Type.String()),
  files: Type.Array(oneOf(inboxFiles), {
    description: 'The forms in which it is kept: `GET /inbox/{id}/file`',
  }),
  createdAt: Timestamp,
  hash: Type.Optional(
    Type.String({ description: 'SHA-256 of the canonical JSON, hex; absent without data' }),
  ),
  summary: CertificateSummary,
  state: oneOf(inboxStates),
  advice: Type.Optional(
    oneOf(inboxAdvices, {
      description:
        'The worst of the answers. doNotAccept: changed, withdrawn, replaced, revoked, refused, or a value misses a limit or the order. look: something is not known, missing, not checked, or does not fit together. Absent until it was answered',
    }),
  ),
  verdict: Type.Optional(
    oneOf(verdicts, { description: 'Is it genuine, and still valid? As `POST /verify` says' }),
  ),
  askedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When that was asked last' })),
  issuer: Type.Optional(Type.String({ description: 'The company that signed, if it is known' })),
  against: Type.Optional(Type.String({ description: 'The requirement that somebody chose for it' })),
  changed: Type.Optional(
    output(
      'InboxChangeDto',
      {
        original: idOf('The entry of the original'),
        values: Type.Array(
          output('ChangedValueDto', {
            of: Type.String(),
            heat: Type.Optional(Type.String()),
            original: Type.Optional(
              Type.String({ description: 'What the original says; absent if nothing' }),
            ),
            here: Type.Optional(Type.String()),
          }),
          { description: 'The first values that differ; empty if something else does' },
        ),
      },
      {
        description:
          'A certificate with this number, of this supplier, was notarized for the company, and this is not it',
      },
    ),
  ),
  check: Type.Optional(InboxCheck),
  unchecked: Type.Optional(
    oneOf(uncheckedReasons, {
      description:
        'Why there is no `check`. noRequirement: none applies; severalRequirements: rules of the same priority name several',
    }),
  ),
  order: Type.Optional(
    output(
      'InboxOrderDto',
      {
        ...comparedOrder,
        lines: Type.Integer({ minimum: 0, description: 'What was compared' }),
        met: Type.Integer({ minimum: 0, description: 'How much of it is as ordered' }),
        worst: Type.Optional(CheckLine),
      },
      {
        description:
          'The comparison with the order line that it names; absent if the company has no order lines',
      },
    ),
  ),
  findings: Type.Integer({
    minimum: 0,
    description: 'How much of what it says about itself does not fit together',
  }),
  decision: Type.Optional(InboxDecisionEntry),
  alarm: Type.Optional(
    output(
      'InboxAlarmDto',
      { verdict: oneOf(verdicts), at: Timestamp },
      { description: 'It was accepted, and is not valid any more' },
    ),
  ),
}

export const InboxEntry = output('InboxEntryDto', entry)
export type InboxEntry = Static<typeof InboxEntry>

export const ReadInboxEntry = output('ReadInboxEntryDto', {
  ...entry,
  verification: Type.Optional(Verification),
  lines: Type.Array(CheckLine, { description: 'Each limit and each heat' }),
  selfCheck: Type.Array(SelfCheckFinding, {
    description: 'What it says about itself that does not fit together',
  }),
  history: Type.Array(InboxDecisionEntry, { description: 'All decisions, newest first' }),
})
export type ReadInboxEntry = Static<typeof ReadInboxEntry>

const text = (description: string) => Type.Optional(Type.String({ ...limits.inbox.filter, description }))
const nameOrHash = Type.Optional(
  Type.String({
    ...limits.requirement.text,
    description: 'The name or the hash of a requirement of the company',
  }),
)

export const FileQuery = Type.Object({
  against: nameOrHash,
  fileName: Type.Optional(Type.String({ ...limits.inbox.fileName, description: 'Shown in the list' })),
})

export const InboxQuery = Type.Object({
  state: Type.Optional(oneOf(inboxStates)),
  advice: Type.Optional(oneOf(inboxAdvices)),
  supplier: text('The name of the supplier, as the certificate says it. Case does not matter'),
  number: text('The number of the certificate. Case does not matter'),
  heat: text('A heat or batch that the certificate names. Case does not matter'),
  text: Type.Optional(
    Type.String({
      ...limits.searchText,
      description:
        'Words or parts of words, all of which occur in number, order, delivery, heats, product, supplier, customer or file name',
    }),
  ),
})

export const InboxFileQuery = Type.Object({ type: oneOf(inboxFiles) })

const ids = listOf(Type.String({ format: 'uuid' }), limits.inbox.decided)

export const DecideInbox = input('DecideInboxDto', {
  ids: Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: limits.inbox.decided }),
  decision: oneOf(inboxDecisions, {
    description:
      'accepted: only what meets everything. acceptedWithConcession: although something fails or is not known; with a reason. archived: not to be decided',
  }),
  reason: Type.Optional(
    Type.String({
      ...limits.inbox.reason,
      pattern: '\\S',
      description: 'Required to accept with a concession and to reject. The issuer reads why it was rejected',
    }),
  ),
})
export type DecideInbox = Static<typeof DecideInbox>

export const CheckInbox = input('CheckInboxDto', { ids, against: nameOrHash })
export type CheckInbox = Static<typeof CheckInbox>

export const InboxEntries = Type.Array(InboxEntry)

const InboxCount = Type.Integer({ minimum: 0, maximum: limits.countedPerState })

export const InboxCounts = output(
  'InboxCountsDto',
  {
    toDecide: InboxCount,
    doNotAccept: InboxCount,
    look: InboxCount,
    meetsEverything: InboxCount,
    alarms: InboxCount,
  },
  { description: `Open entries by advice, and alarms; at most ${limits.countedPerState}` },
)
export type InboxCounts = Static<typeof InboxCounts>
