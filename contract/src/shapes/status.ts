import { type Static, Type } from 'typebox'
import { modes, partStates } from '../vocabulary.ts'
import { Id, oneOf, output, Timestamp } from './common.ts'

const part = {
  state: oneOf(partStates, { description: 'degraded: it works, but somebody should look at it' }),
  says: Type.String({ description: 'One sentence for the operator' }),
}
const Count = Type.Optional(Type.Integer({ minimum: 0 }))

export const FailingHook = output('FailingHookDto', {
  id: Id,
  company: Id,
  host: Type.String(),
  since: Timestamp,
})

const LogHolder = output('LogHolderDto', {
  name: Type.String({ description: 'In the file of cosigners' }),
  key: Type.String({ description: 'The name of its key' }),
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it first signed a checkpoint of this log' }),
  ),
  entries: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Of the newest checkpoint that it has signed' }),
  ),
  signedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it last signed one' })),
})

export const LogStatus = output('LogStatusDto', {
  mode: oneOf(modes),
  ...part,
  entries: Count,
  checkpointAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'The time in the last checkpoint' }),
  ),
  origin: Type.Optional(Type.String({ description: 'The name of the log in its checkpoints' })),
  operator: Type.Optional(Type.String({ description: 'The DID that signs reviews and withdrawals in it' })),
  holders: Type.Optional(
    Type.Array(LogHolder, { description: 'The cosigners of the log; missing without cosigners' }),
  ),
})
export type LogStatus = Static<typeof LogStatus>

export const InstallationStatus = output(
  'InstallationStatusDto',
  {
    state: oneOf(partStates, { description: 'The worst state of the parts' }),
    version: Type.String(),
    publicUrl: Type.String(),
    database: output('DatabaseStatusDto', { ...part, version: Type.Optional(Type.String()) }),
    jobs: output('JobsStatusDto', {
      ...part,
      waiting: Count,
      failed: Count,
      overdueSeconds: Type.Optional(
        Type.Integer({ minimum: 0, description: 'For how long the oldest job that waits has been due' }),
      ),
    }),
    logs: Type.Array(LogStatus),
    mails: output('MailsStatusDto', {
      ...part,
      transport: oneOf(['smtp', 'folder']),
      waiting: Count,
      failed: Type.Optional(Type.Integer({ minimum: 0, description: 'In the past day' })),
    }),
    webhooks: output('WebhooksStatusDto', { ...part, failing: Count, newest: Type.Optional(FailingHook) }),
    vatRegister: output('VatRegisterStatusDto', {
      ...part,
      lookedUp: Type.Boolean({ description: 'Whether VAT ids are looked up: false if MILLSEAL_VIES is off' }),
      askedAt: Type.Optional(
        Type.String({ format: 'date-time', description: 'When this process last asked it' }),
      ),
    }),
  },
  { description: 'Fields that a part could not find out in time are missing' },
)
export type InstallationStatus = Static<typeof InstallationStatus>
