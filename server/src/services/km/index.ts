import type { Mode } from '@millseal/contract'
import type { SignedTransaction } from '@millseal/proof'
import type { Binding } from '../../http/binding.ts'
import { inBatches } from '../../lib/in-batches.ts'
import { rememberBriefly } from '../../lib/remember-briefly.ts'
import type { CertificateFile, InclusionEvidence } from '../../ports/ledger/ledger.ts'
import { coinTypeRoutes } from './cointypes/cointypes.routes.ts'
import type { KmDependencies, KmOptions } from './dependencies.ts'
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
import {
  type LedgerRecord,
  type RecordRequest,
  recordCertificate,
  toLedgerRecord,
} from './transactions/record-certificate.ts'
import { transactionRoutes } from './transactions/transactions.routes.ts'
import { walletRoutes } from './wallets/wallets.routes.ts'

export { mountBigchaindbApi } from './bigchaindb-api/mount-bigchaindb-api.ts'
export { mountLogFiles } from './ledgers/log-files.ts'
export { reEncryptRoots } from './wallets/re-encrypt-roots.ts'
export { findKeySteps } from './wallets/wallets.store.ts'
export type { KnownIdentity } from './identities/known-identities.ts'
export type { SigningIdentity } from './identities/signing-identity.ts'
export type { LedgerRecord, RecordRequest } from './transactions/record-certificate.ts'

/** The entry point of km-service: keys, and the transactions that they sign. */
export type KmService = {
  readonly bindings: readonly Binding[]
  /** Throws `not_found` for an identity of another company, `identity_not_usable` if it cannot sign in this mode. */
  findSigningIdentity(key: SigningIdentityKey): Promise<SigningIdentity>
  record(request: RecordRequest): Promise<LedgerRecord>
  /** By the hash of the JSON or the PDF, or of either if `file` is not given. Inactive networks are searched too. */
  findRecord(by: {
    readonly mode: Mode
    readonly hash: string
    readonly file?: CertificateFile
  }): Promise<LedgerRecord | undefined>
  findTransaction(by: {
    readonly mode: Mode
    readonly transactionId: string
  }): Promise<SignedTransaction | undefined>
  /** Undefined if the ledger with this transaction is not a log. */
  prove(by: { readonly mode: Mode; readonly transactionId: string }): Promise<InclusionEvidence | undefined>
  findPublicIdentity(by: {
    readonly mode: Mode
    readonly publicKey: string
  }): Promise<KnownIdentity | undefined>
}

/** A published key stays public. Only the name of its company can change, and may be shown this much later. */
const briefly = { ms: 1_000, atMost: 1_000 }

export const createKmService = (options: KmOptions): KmService => {
  const { database, clock, ledgers, metrics } = options
  const routing = createLedgerRouting({ database, clock, ledgers, metrics: createLedgerMetrics(metrics) })
  const deps: KmDependencies = { ...options, routing }
  const rememberKnown = (mode: Mode) =>
    rememberBriefly(
      inBatches((publicKeys: readonly string[]) => findKnownIdentities(deps, mode, publicKeys)),
      briefly,
    )
  const knownIdentities = { test: rememberKnown('test'), live: rememberKnown('live') }
  return {
    bindings: [
      ...coinTypeRoutes(deps),
      ...nodeRoutes(deps),
      ...walletRoutes(deps),
      ...identityRoutes(deps),
      ...transactionRoutes(deps),
    ],
    findSigningIdentity: async (key) => {
      const { id, companyId, mode, publicKey, did } = await findIdentityWithKey(database.query, key)
      return { id, companyId, mode, publicKey, did }
    },
    record: (request) => recordCertificate(deps, request),
    findRecord: async ({ mode, hash, file }) => {
      const entry = await routing.findFirst(mode, (ledger) => ledger.findCertificate(hash, file))
      return entry && toLedgerRecord(deps, entry, false)
    },
    findTransaction: ({ mode, transactionId }) =>
      routing.findFirst(mode, async (ledger) => (await ledger.find(transactionId))?.transaction),
    prove: ({ mode, transactionId }) => routing.findFirst(mode, (ledger) => ledger.prove(transactionId)),
    findPublicIdentity: ({ mode, publicKey }) => knownIdentities[mode](publicKey),
  }
}
