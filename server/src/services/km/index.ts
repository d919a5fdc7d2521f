import type { Mode } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import type { Binding } from '../../http/binding.ts'
import { inBatches } from '../../lib/in-batches.ts'
import { rememberBriefly } from '../../lib/remember-briefly.ts'
import type { CertificateFile, InclusionEvidence } from '../../ports/ledger/ledger.ts'
import { coinTypeRoutes } from './cointypes/cointypes.routes.ts'
import type { KmDependencies } from './dependencies.ts'
import { identityRoutes } from './identities/identities.routes.ts'
import { findKnownIdentities, type KnownIdentity } from './identities/known-identities.ts'
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
export type { KmDependencies } from './dependencies.ts'
export { rewrapRoots } from './wallets/rewrap-roots.ts'
export { findKeySteps } from './wallets/wallets.store.ts'
export type { KnownIdentity } from './identities/known-identities.ts'
export type { SigningIdentity } from './identities/signing-identity.ts'
export type { LedgerRecord, RecordRequest } from './transactions/record-certificate.ts'

/** The door of km-service: keys, and what is recorded with them. */
export type KmService = {
  readonly bindings: readonly Binding[]
  /** Throws `not_found` for the identity of somebody else, `identity_not_usable` for one that cannot sign here. */
  findSigningIdentity(key: SigningIdentityKey): Promise<SigningIdentity>
  record(request: RecordRequest): Promise<LedgerRecord>
  /** By the hash of the JSON or of the PDF, of either where `file` is not said; also on networks that were active before. */
  findRecord(by: {
    readonly mode: Mode
    readonly hash: string
    readonly file?: CertificateFile
  }): Promise<LedgerRecord | undefined>
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

/** That a key is public stays so; under what name its company is shown may lag behind by this. */
const briefly = { ms: 1_000, atMost: 1_000 }

export const createKmService = (given: KmDependencies): KmService => {
  const { query } = given.database
  const routing = createLedgerRouting({ ...given, ledgerMetrics: createLedgerMetrics(given.metrics) })
  const deps = { ...given, routing, records: keepRecords(given) }
  const knownIdentities = {
    test: rememberBriefly(inBatches(findKnownIdentities(given, 'test')), briefly),
    live: rememberBriefly(inBatches(findKnownIdentities(given, 'live')), briefly),
  }
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
    findRecord: async ({ mode, hash, file }) => {
      const entry = await routing.findFirst(mode, (ledger) => ledger.findCertificate(hash, file))
      return entry && toLedgerRecord(entry, { isNew: false, clock: given.clock })
    },
    findTransaction: ({ mode, transactionId }) =>
      routing.findFirst(mode, async (ledger) => (await ledger.find(transactionId))?.transaction),
    prove: ({ mode, transactionId }) => routing.findFirst(mode, (ledger) => ledger.prove(transactionId)),
    findPublicIdentity: ({ mode, publicKey }) => knownIdentities[mode](publicKey),
  }
}
