import type { Identity } from '@millseal/contract'
import type { PdfRenderer } from '@millseal/families'
import {
  acceptCertificate,
  type CertificateProcess,
  openCertificateProcess,
  storedCertificate,
} from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { generousMs } from '../../../../test/eventually.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { newIdentity } from '../../../../test/signers.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import type { Database } from '../../../ports/database/database.ts'

/** Only what a test is about ends early. */
export const times = { idleMs: 2_000, renewMs: 10_000, expireMs: generousMs, stopMs: generousMs }

export type WorkingMill = CertificateProcess & {
  readonly database: Database
  readonly server: TestServer
  readonly mill: Owner
  readonly identity: Identity
  /** Returns the ids of new certificates that are due now. */
  acceptDue(count: number): Promise<string[]>
  /** Due in some hours. */
  accept(count: number): Promise<string[]>
  plan(ids: readonly string[], at: Date): Promise<void>
  makeDue(ids: readonly string[], inMs?: number): Promise<void>
  /** How many of them are in this state. */
  inState(ids: readonly string[], state: string): Promise<number>
  /** A renderer that never answers; a rendering ends only by its signal. */
  stuck(): PdfRenderer
}

/** An issuer whose notarizations only the workers of the test run; the server writes the ledger. */
export const openWorkingMill = async (username: string): Promise<WorkingMill> => {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await openTestDatabase())
  const databaseUrl = addressOf(database)
  const { mill, identity } = await createMill(databaseUrl, username)
  const server = opening.use(await startOwnServer({ databaseUrl, environment: { MILLSEAL_ROLES: 'api' } }))
  const { deps, log } = opening.use(await openCertificateProcess(server))

  const plan = async (ids: readonly string[], at: Date): Promise<void> => {
    await database.query
      .updateTable('certificates')
      .set({ nextAttemptAt: at })
      .where('id', 'in', [...ids])
      .execute()
  }
  const makeDue = (ids: readonly string[], inMs = 0) => plan(ids, new Date(deps.clock.now() + inMs))
  const accept = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    for (let n = 0; n < count; n += 1) {
      const certificate = sampleCertificate()
      const about = { companyId: mill.company.id, identityId: identity.id, certificate }
      ids.push(await acceptCertificate(deps, about))
    }
    return ids
  }
  const opened = opening.move()
  return {
    database,
    server,
    mill,
    identity,
    deps,
    log,
    accept,
    plan,
    makeDue,
    acceptDue: async (count) => {
      const ids = await accept(count)
      await makeDue(ids)
      return ids
    },
    inState: async (ids, state) => {
      const found = await Promise.all(ids.map((id) => storedCertificate(deps, id)))
      return found.filter((certificate) => certificate.state === state).length
    },
    stuck: () => ({
      ...deps.pdf,
      render: (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        }),
    }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const createMill = async (
  databaseUrl: string,
  username: string,
): Promise<{ readonly mill: Owner; readonly identity: Identity }> => {
  await using complete = await startOwnServer({ databaseUrl })
  const mill = await newOwner(complete, username)
  const identity = await newIdentity(complete.client(mill.admin.accessToken), mill.company.id)
  return { mill, identity }
}
