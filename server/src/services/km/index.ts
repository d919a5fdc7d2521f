import { type Mode, modes, operations } from '@millseal/contract'
import type { ProvenStamp, SignedTransaction } from '@millseal/proof'
import type { FastifyInstance } from 'fastify'
import { type Binding, bindTo } from '../../http/binding.ts'
import { inBatches } from '../../lib/in-batches.ts'
import { startLoop } from '../../lib/loop.ts'
import { rememberBriefly } from '../../lib/remember-briefly.ts'
import type { JobKind } from '../../ports/jobs/jobs.ts'
import type { CertificateFile, LogEvidence, WantedProof } from '../../ports/ledger/ledger.ts'
import { auditHead, recordAuditHead } from './audit-heads/record-audit-head.ts'
import { verifyAuditLog } from './audit-heads/verify-audit-log.ts'
import { coinTypeRoutes } from './cointypes/cointypes.routes.ts'
import type { KmDependencies, KmOptions } from './dependencies.ts'
import { identityRoutes } from './identities/identities.routes.ts'
import { findKnownIssuers, type KnownIssuer } from './identities/known-identities.ts'
import { endReviews, reviewEnd } from './corrections/end-reviews.ts'
import { recordReviewEnds } from './reviews/record-review-ends.ts'
import { type SigningIdentity, type SigningIdentityKey } from './keys/signing-identity.ts'
import { type ConfirmedEntries, createConfirmedEntries } from './ledgers/confirmed-entries.ts'
import { submissionSignal } from './ledgers/deadline.ts'
import { quorumWatch, watchQuorums } from './ledgers/watch-quorums.ts'
import { createLedgerMetrics } from './ledgers/metrics.ts'
import { groupSteps } from './grouped-steps.ts'
import { createLedgerRouting } from './nodes/routing.ts'
import { nodeRoutes } from './nodes/nodes.routes.ts'
import {
  type CorrectionRequest,
  type RecordedCorrection,
  recordCorrection,
} from './transactions/record-correction.ts'
import { finishRevocations } from './corrections/record-revocation.ts'
import { readRevocation, type Revocation } from './corrections/revoked-by.ts'
import { missingReviews, recordMissingReviews } from './identities/record-reviews.ts'
import {
  type LedgerRecord,
  type RecordRequest,
  recordCertificate,
  toLedgerRecord,
} from './transactions/record-certificate.ts'
import { proveRecords } from './transactions/prove-records.ts'
import { revokeIdentity } from './corrections/revoke-identity.ts'
import { transactionRoutes } from './transactions/transactions.routes.ts'
import { walletRoutes } from './wallets/wallets.routes.ts'
import { foreignNameMail, sendForeignNameMail } from './watch/foreign-names.ts'
import { mountEntriesPage } from './watch/entries-page.ts'
import { mountLogFeed } from './watch/log-feed.ts'
import { watchLog } from './watch/watch-log.ts'

export { mountBigchaindbApi } from './bigchaindb-api/mount-bigchaindb-api.ts'
export { mountLogFiles } from './ledgers/log-files.ts'
export { mountLogList } from './ledgers/log-list.ts'
export { reEncryptRoots } from './wallets/re-encrypt-roots.ts'
export { findKeySteps } from './keys/wallets.store.ts'
export type { Revocation } from './corrections/revoked-by.ts'
export { enqueueReviewEnd } from './corrections/end-reviews.ts'
export type { KnownIssuer, KnownReview } from './identities/known-identities.ts'
export { enqueueMissingReviews } from './identities/record-reviews.ts'
export type { SigningIdentity } from './keys/signing-identity.ts'
export type { LedgerRecord, RecordRequest } from './transactions/record-certificate.ts'

/** The entry point of km-service: keys, and the transactions that they sign. */
export type KmService = {
  readonly bindings: readonly Binding[]
  /** Registers the feed of each log, and its page. */
  mount(server: FastifyInstance): void
  /** Searches the logs for entries that name companies until the result is disposed of. */
  startWatching(): AsyncDisposable
  /** Throws `not_found` for an identity of another company, `identity_not_usable` if it cannot sign in this mode. */
  findSigningIdentity(key: SigningIdentityKey): Promise<SigningIdentity>
  record(request: RecordRequest): Promise<LedgerRecord>
  /** Records what somebody signed elsewhere in the log of this service, whichever network is active. Can be repeated. */
  recordInOwnLog(request: {
    readonly mode: Mode
    readonly transaction: SignedTransaction
    readonly signal: AbortSignal
  }): Promise<void>
  /** Rejects with the reason if nothing can be recorded in this mode. */
  checkLedger(mode: Mode, signal: AbortSignal): Promise<void>
  /** Throws `transaction_invalid` if the ledger refuses it. */
  recordCorrection(request: CorrectionRequest): Promise<RecordedCorrection>
  /** A revoked key, by the transaction that revoked it; undefined if the ledger does not have it. */
  findRevocation(transactionId: string): Promise<Revocation | undefined>
  /** By the hash of the JSON or the PDF, or of either if `file` is not given. Inactive networks are searched too. */
  findRecord(by: {
    readonly mode: Mode
    readonly hash: string
    readonly file?: CertificateFile
  }): Promise<LedgerRecord | undefined>
  /** All entries for the JSON of a certificate: the first one first, then those of its sellers beside it. */
  findRecords(by: { readonly mode: Mode; readonly jsonHash: string }): Promise<readonly LedgerRecord[]>
  findTransaction(by: {
    readonly mode: Mode
    readonly transactionId: string
  }): Promise<SignedTransaction | undefined>
  readonly confirmed: ConfirmedEntries
  /** Undefined if no log has all of these transactions. */
  proveRecords(
    by: WantedProof & {
      readonly mode: Mode
      /** Waits for the cosignatures of a quorum until it aborts. */
      readonly wait?: AbortSignal | undefined
    },
  ): Promise<LogEvidence | undefined>
  /** What authorities say of the time of an entry in the log of this service, by its index. */
  proveStamps(by: { readonly mode: Mode; readonly index: number }): Promise<readonly ProvenStamp[]>
  /** Undefined if neither a company here nor a review on a log names this key. */
  findIssuer(by: { readonly mode: Mode; readonly publicKey: string }): Promise<KnownIssuer | undefined>
}

/** A published key stays public. Only new reviews and the present name of its company may be shown this much later. */
const briefly = { ms: 1_000, atMost: 1_000 }
/** A transaction never changes. */
const longer = { ms: 60_000, atMost: 2_000 }

/** Looking costs one read of a file. */
const watchIdleMs = 2_000

const upkeep: JobKind<object> = { name: 'km-upkeep', retries: 2, backoffSeconds: 30, expireSeconds: 600 }

export const createKmService = (options: KmOptions): KmService => {
  const { database, clock, ledgers, metrics } = options
  const routing = createLedgerRouting({ database, clock, ledgers, metrics: createLedgerMetrics(metrics) })
  const deps: KmDependencies = { ...options, routing, grouped: groupSteps(options) }
  const rememberIssuers = (mode: Mode) =>
    rememberBriefly(
      inBatches((publicKeys: readonly string[]) => findKnownIssuers(deps, mode, publicKeys)),
      briefly,
    )
  const issuers = { test: rememberIssuers('test'), live: rememberIssuers('live') }
  const rememberTransactions = (mode: Mode) =>
    rememberBriefly(
      (id) => routing.findFirst(mode, async (ledger) => (await ledger.find(id))?.transaction),
      longer,
    )
  const transactions = { test: rememberTransactions('test'), live: rememberTransactions('live') }
  handleJobs(deps)
  return {
    bindings: [
      ...coinTypeRoutes(deps),
      ...nodeRoutes(deps),
      ...walletRoutes(deps),
      ...identityRoutes(deps),
      ...transactionRoutes(deps),
      bindTo(deps)(operations.revokeIdentity, revokeIdentity),
      bindTo(deps)(operations.verifyAuditLog, verifyAuditLog),
    ],
    mount(server) {
      mountLogFeed(server, deps)
      mountEntriesPage(server, deps)
    },
    startWatching: () => startWatching(deps),
    findSigningIdentity: async (key) => {
      const { id, companyId, mode, publicKey, did } = await deps.grouped.findIdentity(key)
      return { id, companyId, mode, publicKey, did }
    },
    record: (request) => recordCertificate(deps, request),
    recordInOwnLog: async ({ mode, transaction, signal }) => {
      await ledgers.embedded(mode).submit(transaction, submissionSignal(signal))
    },
    checkLedger: async (mode, signal) => (await routing.active(mode)).check(signal),
    recordCorrection: (request) => recordCorrection(deps, request),
    findRevocation: (transactionId) => readRevocation(deps, database.query, transactionId),
    findRecord: async ({ mode, hash, file }) => {
      const entry = await routing.findFirst(mode, (ledger) => ledger.findCertificate(hash, file))
      return entry && toLedgerRecord(deps, entry, false)
    },
    findRecords: (by) => findRecords(deps, by),
    findTransaction: ({ mode, transactionId }) => transactions[mode](transactionId),
    confirmed: createConfirmedEntries(ledgers),
    proveRecords: (by) => proveRecords(deps, by),
    proveStamps: async ({ mode, index }) => (await ledgers.embedded(mode).files.proveStamps(index)) ?? [],
    findIssuer: ({ mode, publicKey }) => issuers[mode](publicKey),
  }
}

const findRecords = async (
  deps: KmDependencies,
  { mode, jsonHash }: { readonly mode: Mode; readonly jsonHash: string },
): Promise<readonly LedgerRecord[]> => {
  const entries = await deps.routing.findFirst(mode, async (ledger) => {
    const found = await ledger.findEntriesOf(jsonHash)
    return found.length === 0 ? undefined : found
  })
  return (entries ?? []).map((entry) => toLedgerRecord(deps, entry, false))
}

const startWatching = (deps: KmDependencies): AsyncDisposable => {
  const loops = new AsyncDisposableStack()
  for (const mode of modes) {
    const seen = { size: 0 }
    const pass = () => watchLog(deps, mode, seen)
    loops.use(startLoop({ name: `the search of the ${mode} log`, pass, idleMs: watchIdleMs, log: deps.log }))
  }
  return loops
}

const handleJobs = (deps: KmDependencies): void => {
  const { jobs } = deps
  jobs.handle(foreignNameMail, (job) => sendForeignNameMail(deps, job))
  jobs.handle(auditHead, (job) => recordAuditHead(deps, job))
  jobs.schedule(auditHead, '47 2 * * *')
  jobs.handle(missingReviews, (job) => recordMissingReviews(deps, job))
  jobs.handle(reviewEnd, (job) => endReviews(deps, job))
  jobs.handle(upkeep, async ({ signal }) => {
    const [revocations] = await Promise.allSettled([finishRevocations(deps, signal)])
    await recordMissingReviews(deps, { data: {}, signal })
    await recordReviewEnds(deps, signal)
    if (revocations.status === 'rejected') throw revocations.reason
  })
  jobs.schedule(upkeep, '*/5 * * * *')
  jobs.handle(quorumWatch, () => watchQuorums(deps))
  jobs.schedule(quorumWatch, '* * * * *')
}
