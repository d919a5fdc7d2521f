import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { checkInbox, decideInbox, undoInboxDecision } from './decide.ts'
import { fileCertificate } from './file-certificate.ts'
import { countInbox, listInbox, readInboxEntry, readInboxFile } from './read-inbox.ts'

export const inboxRoutes = (deps: CertificateDependencies): readonly Binding[] => {
  const bind = bindTo(deps)
  return [
    bind(operations.fileCertificate, fileCertificate),
    bind(operations.listInbox, listInbox),
    bind(operations.countInbox, countInbox),
    bind(operations.readInboxEntry, readInboxEntry),
    bind(operations.readInboxFile, readInboxFile),
    bind(operations.decideInbox, decideInbox),
    bind(operations.undoInboxDecision, undoInboxDecision),
    bind(operations.checkInbox, checkInbox),
  ]
}
