import type { Mode } from '@millseal/contract'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import { rememberBriefly } from '../../../lib/remember-briefly.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { countDue, findCompanyQueue, hasUnfinished } from './queue-length.store.ts'
import { deadlineSignal } from '../../../lib/deadline.ts'

/** A server with two cores notarizes about twice as many. */
const perMinute = 600
const minuteMs = 60_000
const perCompany = { ms: 1_000, atMost: 1_000 }
const ofService = { ms: 5_000, atMost: 2 }
const ledgerDeadlineMs = 2_000
const retryAfterSeconds = 60

/** What is done before a certificate: those in live mode do not wait for those in test mode. */
const modesAhead: Readonly<Record<Mode, readonly Mode[]>> = { live: ['live'], test: ['live', 'test'] }

export type Admission = {
  /** Throws if so much work waits that another certificate would wait too long. Asks the database once a second at most. */
  assertRoom(companyId: string, mode: Mode): Promise<void>
}

export const createAdmission = ({
  database,
  keys,
  clock,
  queueMinutes,
}: CertificateDependencies): Admission => {
  const { company, service } = queueMinutes
  const [mostOfCompany, mostOfAll] = [company * perMinute, service * perMinute]
  const recentQueue = (mode: Mode) =>
    rememberBriefly(
      (companyId: string) =>
        findCompanyQueue(database.query, {
          companyId,
          modes: modesAhead[mode],
          now: new Date(clock.now()),
          limit: mostOfCompany + 1,
        }),
      perCompany,
    )
  const recentQueues = { live: recentQueue('live'), test: recentQueue('test') }
  const recentCount = rememberBriefly((_all: 'all') => countDue(database.query, mostOfAll + 1), ofService)
  /** Attempts that failed are planned for later, so the queue of a ledger that records nothing does not look old. */
  const recordsNothing = async (mode: Mode): Promise<boolean> => {
    const signal = deadlineSignal(ledgerDeadlineMs)
    const isDown = await keys.checkLedger(mode, signal).then(
      () => false,
      () => true,
    )
    const before = new Date(clock.now() - service * minuteMs)
    return isDown && (await hasUnfinished(database.query, { mode, before }))
  }
  const recentStop = rememberBriefly(recordsNothing, ofService)
  return {
    async assertRoom(companyId, mode) {
      if (Number.isFinite(service)) {
        if ((await recentCount('all')) > mostOfAll) throw serviceFull(service)
        if (await recentStop(mode)) throw ledgerStopped(mode, service)
      }
      if (!Number.isFinite(company)) return
      const { waiting, oldest } = await recentQueues[mode](companyId)
      const isLate = oldest !== undefined && clock.now() - oldest.getTime() > company * minuteMs
      // Companies take turns: a company with little to do waits that long only if the whole service is behind.
      if (isLate && waiting <= perMinute) throw serviceFull(company)
      if (isLate || waiting > mostOfCompany) throw companyFull(company)
    },
  }
}

const companyFull = (minutes: number): Problem =>
  new Problem('queue_full', {
    reasons: [because('company_queue_full', { minutes, seconds: retryAfterSeconds })],
    retryAfterSeconds,
  })

const serviceFull = (minutes: number): Problem =>
  new Problem('service_queue_full', {
    reasons: [because('queue_of_all_full', { minutes, seconds: retryAfterSeconds })],
    retryAfterSeconds,
  })

const ledgerStopped = (mode: Mode, minutes: number): Problem =>
  new Problem('service_queue_full', {
    reasons: [because('ledger_records_nothing', { mode, minutes, seconds: retryAfterSeconds })],
    retryAfterSeconds,
  })
