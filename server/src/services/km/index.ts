import type { CompanyReference, Mode } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import type { Binding } from '../../http/binding.ts'
import type { InclusionEvidence } from '../../ports/ledger/ledger.ts'
import { coinTypeRoutes } from './cointypes/cointypes.routes.ts'
import type { KmRoomDependencies } from './dependencies.ts'
import { identityRoutes } from './identities/identities.routes.ts'
import { findPublicIdentity } from './identities/public-identities.store.ts'
import {
  findIdentityWithKey,
  type SigningIdentity,
  type SigningIdentityKey,
} from './identities/signing-identity.ts'
import { createLedgerMetrics } from './ledgers/metrics.ts'
import { createLedgerRouting } from './ledgers/routing.ts'
import { nodeRoutes } from './nodes/nodes.routes.ts'
import { keepRecords } from './transactions/keep-records.ts'
import {
  type LedgerRecord,
  type RecordRequest,
  recordCertificate,
  toLedgerRecord,
} from './transactions/record-certificate.ts'
import { transactionRoutes } from './transactions/transactions.routes.ts'
import { walletRoutes } from './wallets/wallets.routes.ts'

export { mountLedgerFace } from './face/mount-ledger-face.ts'
export { mountLogFiles } from './face/tiles.ts'
export type { KmRoomDependencies } from './dependencies.ts'
export { rewrapRoots } from './wallets/rewrap-roots.ts'
export { findKeySteps } from './wallets/wallets.store.ts'
export type { SigningIdentity } from './identities/signing-identity.ts'
export type { LedgerRecord, RecordRequest } from './transactions/record-certificate.ts'

/** Whose key it is, as its company made it known to everybody. */
export type KnownIdentity = {
  readonly id: string
  readonly publicKey: string
  readonly did: string
  readonly company: CompanyReference
  /** Where on the ledger it was made public. */
  readonly transactionId?: string
}

/** The door of km-service: keys, and what is recorded with them. */
export type KmRoom = {
  readonly bindings: readonly Binding[]
  /** Throws `not_found` for the identity of somebody else, `identity_not_usable` for one that cannot sign here. */
  findSigningIdentity(key: SigningIdentityKey): Promise<SigningIdentity>
  record(request: RecordRequest): Promise<LedgerRecord>
  /** By the hash of the JSON or of the PDF; also on networks that were active before. */
  findRecord(by: { readonly mode: Mode; readonly hash: string }): Promise<LedgerRecord | undefined>
  findTransaction(by: {
    readonly mode: Mode
    readonly transactionId: string
  }): Promise<SignedTransaction | undefined>
  /** Undefined where the ledger that has it is no log. */
  prove(by: { readonly mode: Mode; readonly transactionId: string }): Promise<InclusionEvidence | undefined>
  findPublicIdentity(by: {
    readonly mode: Mode
    readonly publicKey: string
  }): Promise<KnownIdentity | undefined>
}

export const createKmRoom = (given: KmRoomDependencies): KmRoom => {
  const { query } = given.database
  const routing = createLedgerRouting({ ...given, ledgerMetrics: createLedgerMetrics(given.metrics) })
  const deps = { ...given, routing, records: keepRecords(given) }
  return {
    bindings: [
      ...coinTypeRoutes(deps),
      ...nodeRoutes(deps),
      ...walletRoutes(deps),
      ...identityRoutes(deps),
      ...transactionRoutes(deps),
    ],
    findSigningIdentity: async (key) => {
      const { id, companyId, mode, publicKey, did } = await findIdentityWithKey(query, key)
      return { id, companyId, mode, publicKey, did }
    },
    record: recordCertificate(deps),
    findRecord: async ({ mode, hash }) => {
      const entry = await routing.findFirst(mode, (ledger) => ledger.findCertificate(hash))
      return entry && toLedgerRecord(entry, { isNew: false, clock: given.clock })
    },
    findTransaction: ({ mode, transactionId }) =>
      routing.findFirst(mode, async (ledger) => (await ledger.find(transactionId))?.transaction),
    prove: ({ mode, transactionId }) => routing.findFirst(mode, (ledger) => ledger.prove(transactionId)),
    findPublicIdentity: async ({ mode, publicKey }) => {
      const found = await findPublicIdentity(query, { mode, publicKey })
      const company = found && (await given.users.findCompany(query, found.companyId))
      if (found === undefined || company === undefined) return undefined
      const { id, did, ledgerId } = found
      return { id, publicKey, did, company, ...(ledgerId === undefined ? {} : { transactionId: ledgerId }) }
    },
  }
}
