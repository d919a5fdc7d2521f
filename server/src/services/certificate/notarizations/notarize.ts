import { limits, type Notarization, type operations } from '@millseal/contract'
import { summarize } from '@millseal/families'
import type { Call } from '../../../http/binding.ts'
import { principalName } from '../../../http/principal.ts'
import { Problem } from '../../../lib/problem.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import type { Transaction } from '../../../ports/database/database.ts'
import { checkCertificate } from '../checking/check-certificate.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { sha256Hex } from '../hashing/hash.ts'
import { findNotarization, insertCertificate, type NewCertificate } from './certificates.store.ts'
import { notarizationJob } from './notarization-job.ts'
import type { StoredCertificate } from './stored-certificate.ts'

const dayMs = 86_400_000

/** The same for a JSON body and for a file. */
type NotarizeCall = Pick<
  Call<typeof operations.notarizeCertificate>,
  'companyId' | 'mode' | 'query' | 'body' | 'principal' | 'client' | 'commit'
>

/** Checks all there is to check, and leaves the rest to a job. */
export const notarize =
  (deps: CertificateDependencies) =>
  async (call: NotarizeCall): Promise<Notarization> => {
    const { companyId, mode, query, body } = call
    const { certificate } = await checkCertificate(deps.schemas, body.bytes)
    await deps.keys.findSigningIdentity({ identityId: query.identity, companyId, mode })
    const hash = sha256Hex(certificate.hash)
    const record = await deps.keys.findRecord({ mode, hash: certificate.hash, file: 'json' })
    if (record !== undefined) {
      const { transactionId, timestamp } = record
      return { isNewInstance: false, timestamp: timestamp.toISOString(), hash, transactionId }
    }
    return call.commit(async (tx) => {
      const now = deps.clock.now()
      const wanted = {
        id: uuidv7(now),
        companyId,
        identityId: query.identity,
        mode,
        refSchemaUrl: certificate.refSchemaUrl,
        hash: certificate.hash,
        summary: summarize(certificate),
        body: certificate.bytes,
        retainedUntil: new Date(now + limits.certificateRetentionDays * dayMs),
      }
      const isNew = await accept(deps, tx, { wanted, now })
      if (!isNew) return answer(await standing(tx, wanted))
      await deps.audit.write(tx, {
        actor: principalName(call.principal),
        action: 'certificates.notarize',
        subject: wanted.id,
        companyId,
        ipAddress: call.client.ip,
        details: { mode, hash: certificate.hash, identity: query.identity },
      })
      return { isNewInstance: true, timestamp: new Date(now).toISOString(), hash, jobId: wanted.id }
    })
  }

const accept = async (
  deps: CertificateDependencies,
  tx: Transaction,
  { wanted, now }: { readonly wanted: NewCertificate; readonly now: number },
): Promise<boolean> => {
  const isNew = await insertCertificate(tx, wanted, new Date(now))
  if (isNew) await deps.jobs.enqueue(tx, notarizationJob, { certificateId: wanted.id })
  return isNew
}

/** Whoever came first, of this company or another, has the one job there is. */
const standing = async (tx: Transaction, wanted: NewCertificate): Promise<StoredCertificate> => {
  const first = await findNotarization(tx, wanted)
  // It failed in this very moment: asking again starts anew.
  if (first === undefined) throw new Problem('unavailable', { retryAfterSeconds: 1 })
  return first
}

const answer = ({ id, transactionId, recordedAt, createdAt, hash }: StoredCertificate): Notarization =>
  transactionId === undefined
    ? { isNewInstance: true, timestamp: createdAt.toISOString(), hash: sha256Hex(hash), jobId: id }
    : {
        isNewInstance: false,
        timestamp: (recordedAt ?? createdAt).toISOString(),
        hash: sha256Hex(hash),
        transactionId,
      }
