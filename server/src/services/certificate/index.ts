import { eraseAll } from '../../lib/erase.ts'
import type { FastifyInstance } from 'fastify'
import type { Binding } from '../../http/binding.ts'
import type { Transaction } from '../../ports/database/database.ts'
import type { JobKind } from '../../ports/jobs/jobs.ts'
import { batchRoutes } from './batches/batches.routes.ts'
import { checkingRoutes } from './checking/checking.routes.ts'
import { customerRoutes } from './customers/customers.routes.ts'
import type { CertificateDependencies } from './dependencies.ts'
import { hashingRoutes } from './hashing/hashing.routes.ts'
import { runStartedCorrection, startedCorrection } from './corrections/started-correction.ts'
import { reportRevocation, revocationReport } from './corrections/report-revocation.ts'
import { certificateMail, sendCertificateMail } from './mails/certificate-mail.ts'
import { correctionMail, sendCorrectionMail } from './mails/correction-mail.ts'
import { failureMail, sendFailureMail } from './mails/failure-mail.ts'
import { mountFilesPage } from './mails/files-page.ts'
import { noticeReleases, releaseMail, releaseNotice, sendReleaseMail } from './mails/release-mail.ts'
import { revocationMail, sendRevocationMail } from './mails/revocation-mail.ts'
import { refuseOverdueReleases } from './notarizations/decide-release.ts'
import { eraseBodies } from './certificates/certificates.store.ts'
import { createNotarizationWork, notarizationKind } from './notarizations/notarization-work.store.ts'
import { countOf } from './lists/count-certificates.ts'
import { eraseCommonGrams } from './lists/common-grams.store.ts'
import type { CountedCompany } from './lists/counts.store.ts'
import { readBlocks } from './lists/read-blocks.ts'
import { notarizationRoutes } from './notarizations/notarizations.routes.ts'
import { withTurns } from './notarizations/notarize.ts'
import { startNotarizing } from './notarizations/work-notarizations.ts'
import { receivedChanged, requirementsChanged } from './certificates/inbox-jobs.ts'
import { alarmMail, sendAlarmMail } from './inbox/alarm-mail.ts'
import { eraseOld } from './inbox/erase-old.ts'
import { inboxRoutes } from './inbox/inbox.routes.ts'
import { answerAbout, answerDue, answerOpen, dailyQuestion } from './inbox/keep-answers.ts'
import { lookRoutes } from './looks/looks.routes.ts'
import { orderRoutes } from './orders/orders.routes.ts'
import { requirementRoutes } from './requirements/requirements.routes.ts'
import { packRoutes } from './packs/packs.routes.ts'
import { renderingRoutes } from './rendering/rendering.routes.ts'
import { makeSamples, samplesToMake, wantSamples } from './samples/make-samples.ts'
import { createSampleOffer, mountSampleFiles } from './samples/sample-files.ts'
import type { SampleKind } from './samples/samples.store.ts'
import { verificationRoutes } from './verifications/verifications.routes.ts'

export { enqueueRevocationReport } from './corrections/report-revocation.ts'
export { readBlocks } from './lists/read-blocks.ts'
export type { CertificateDependencies, Packs } from './dependencies.ts'

export type CertificateService = {
  readonly bindings: readonly Binding[]
  /** Registers the page with the files of a certificate, and the samples. */
  mount(server: FastifyInstance): void
  /** Runs notarizations until the result is disposed of. Any number of processes can do so at once. */
  startNotarizing(): AsyncDisposable
  countOf(company: CountedCompany): ReturnType<typeof countOf>
  /** Has the samples made by a job, unless they are made or not wanted. */
  wantSamples(tx: Transaction): Promise<void>
  /** Those that pages can offer now. */
  findSamples(): Promise<readonly SampleKind[]>
}

const retention: JobKind<object> = {
  name: 'certificate-retention',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 600,
}

const commonGrams: JobKind<object> = {
  name: 'certificate-common-grams',
  retries: 2,
  backoffSeconds: 60,
  expireSeconds: 600,
}

export const createCertificateService = (deps: CertificateDependencies): CertificateService => {
  const { jobs, database } = deps
  jobs.handle(certificateMail, (job) => sendCertificateMail(deps, job), { concurrency: 8 })
  jobs.handle(correctionMail, (job) => sendCorrectionMail(deps, job), { concurrency: 4 })
  jobs.handle(startedCorrection, (job) => runStartedCorrection(deps, job))
  jobs.handle(revocationReport, (job) => reportRevocation(deps, job))
  jobs.handle(revocationMail, (job) => sendRevocationMail(deps, job), { concurrency: 4 })
  jobs.handle(failureMail, (job) => sendFailureMail(deps, job))
  jobs.handle(releaseNotice, (job) => noticeReleases(deps, job))
  jobs.handle(releaseMail, (job) => sendReleaseMail(deps, job))
  jobs.handle(receivedChanged, (job) => answerAbout(deps, job), { concurrency: 2 })
  jobs.handle(requirementsChanged, (job) => answerOpen(deps, job))
  jobs.handle(alarmMail, (job) => sendAlarmMail(deps, job), { concurrency: 4 })
  jobs.handle(dailyQuestion, (job) => answerDue(deps, job))
  jobs.schedule(dailyQuestion, '23 * * * *')
  jobs.handle(samplesToMake, (job) => makeSamples(deps, job))
  jobs.handle(retention, async ({ signal }) => {
    const now = await deps.retention.advance(retention.name)
    await eraseAll(() => refuseOverdueReleases(deps, now), signal)
    await eraseAll(() => eraseBodies(database.query, now), signal)
    await eraseAll(() => eraseOld(deps, now), signal)
    await eraseCommonGrams(database.query)
  })
  jobs.schedule(retention, '47 * * * *')
  jobs.handle(commonGrams, ({ signal }) => readBlocks(deps, signal))
  jobs.schedule(commonGrams, '*/10 * * * *')
  jobs.addOwnWork(notarizationKind, createNotarizationWork(deps))
  const inTurns = withTurns(deps)
  return {
    mount(server) {
      mountFilesPage(server, deps)
      mountSampleFiles(server, deps)
    },
    startNotarizing: () => startNotarizing(deps),
    countOf: (company) => countOf(deps, company),
    wantSamples: (tx) => wantSamples(deps, tx),
    findSamples: createSampleOffer(deps),
    bindings: [
      ...checkingRoutes(deps),
      ...hashingRoutes(),
      ...renderingRoutes(deps),
      ...packRoutes(deps),
      ...lookRoutes(deps),
      ...customerRoutes(deps),
      ...orderRoutes(deps),
      ...requirementRoutes(deps),
      ...notarizationRoutes(deps, inTurns),
      ...batchRoutes(deps, inTurns),
      ...verificationRoutes(deps),
      ...inboxRoutes(deps),
    ],
  }
}
