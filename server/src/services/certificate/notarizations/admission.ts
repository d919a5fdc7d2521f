import type { Mode } from '@millseal/contract'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { countDue, findCompanyQueue, hasUnfinished } from './queue-length.store.ts'

/** A server with two cores notarizes about twice as many. */
const perMinute = 600
const minuteMs = 60_000
const companyAgeMs = 1_000
const serviceAgeMs = 5_000
const ledgerDeadlineMs = 2_000
const retryAfterSeconds = 60
const rememberedCompanies = 1_000

/** What is done before a certificate: those in live mode do not wait for those in test mode. */
const modesAhead: Readonly<Record<Mode, readonly Mode[]>> = { live: ['live'], test: ['live', 'test'] }

export type Admission = {
  /** Throws if so much work waits that another certificate would wait too long. Asks the database once a second at most. */
  assertRoom(companyId: string, mode: Mode): Promise<void>
}

type Dependencies = Pick<CertificateDependencies, 'database' | 'keys' | 'clock' | 'queueMinutes'>

export const createAdmission = ({ database, keys, clock, queueMinutes }: Dependencies): Admission => {
  const { company, service } = queueMinutes
  const [mostOfCompany, mostOfAll] = [company * perMinute, service * perMinute]
  const recentQueue = (mode: Mode) =>
    remember(companyAgeMs, (companyId) =>
      findCompanyQueue(database.query, {
        companyId,
        modes: modesAhead[mode],
        now: new Date(clock.now()),
        limit: mostOfCompany + 1,
      }),
    )
  const recentQueues = { live: recentQueue('live'), test: recentQueue('test') }
  const recentCount = remember(serviceAgeMs, () => countDue(database.query, mostOfAll + 1))
  /** Attempts that failed are planned for later, so the queue of a ledger that records nothing does not look old. */
  const recordsNothing = async (mode: Mode): Promise<boolean> => {
    const signal = AbortSignal.timeout(ledgerDeadlineMs)
    const isDown = await keys.checkLedger(mode, signal).then(
      () => false,
      () => true,
    )
    const before = new Date(clock.now() - service * minuteMs)
    return isDown && (await hasUnfinished(database.query, { mode, before }))
  }
  const recentStop = remember(serviceAgeMs, (mode: Mode) => recordsNothing(mode))
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
    details: [
      `It has more than ${minutes} minutes of work waiting: submit it again in ${retryAfterSeconds} s`,
    ],
    retryAfterSeconds,
  })

const serviceFull = (minutes: number): Problem =>
  new Problem('service_queue_full', {
    details: [`More than ${minutes} minutes of work wait: submit it again in ${retryAfterSeconds} s`],
    retryAfterSeconds,
  })

const ledgerStopped = (mode: Mode, minutes: number): Problem =>
  new Problem('service_queue_full', {
    details: [
      `The ledger of ${mode} mode records nothing, and certificates wait for it for more than ${minutes} minutes: submit it again in ${retryAfterSeconds} s`,
    ],
    retryAfterSeconds,
  })

/** Answers from memory for so long; calls at the same time share one look-up. */
const remember = <K extends string, T>(
  maxAgeMs: number,
  look: (key: K) => Promise<T>,
): ((key: K) => Promise<T>) => {
  const known = new Map<K, { readonly at: number; readonly answer: Promise<T> }>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined && performance.now() - found.at < maxAgeMs) return found.answer
    if (known.size >= rememberedCompanies) known.clear()
    const answer = look(key)
    known.set(key, { at: performance.now(), answer })
    answer.catch(() => known.delete(key))
    return answer
  }
}
