import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InstallationStatus, type LogStatus, modes, operations } from '@millseal/contract'
import { checkpointIn } from '@millseal/proof'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Binding, bind } from '../http/binding.ts'
import { createRecentCheck } from '../lib/recent-check.ts'
import { withoutSecrets } from '../lib/without-secrets.ts'
import type { MailCounts, PipeService } from '../services/pipe/index.ts'
import type { UserService } from '../services/user/index.ts'
import type { ObservedVatRegistry } from '../adapters/vat-registry/observed.ts'
import type { OpenedLedgers } from './ledgers.ts'
import type { Ports } from './ports.ts'
import { startDeadline } from '../lib/deadline.ts'

type Parts = Ports & {
  readonly config: Config
  readonly publicUrl: () => string
  readonly ledgers: OpenedLedgers
  readonly vatRegistry: ObservedVatRegistry
  readonly users: UserService
  readonly pipe: PipeService
}

type Part = Pick<InstallationStatus['database'], 'state' | 'says'>

const dayMs = 86_400_000
/** Work that waits longer may wait for ever: no process may have the role `worker`. */
const maxOverdueSeconds = 600
/** An answer that takes longer is left out, so that the whole is quick. */
const waitMs = 500
const checks = { maxAgeMs: 30_000, waitMs, deadlineMs: 10_000 }
const maxReasonLength = 200

export const statusRoutes = (parts: Parts): readonly Binding[] => {
  const version = readVersion()
  const checkMailer = createRecentCheck({ ...checks, check: (signal) => parts.mailer.check(signal) })
  return [
    bind(operations.readStatus, async () => {
      const [database, jobs, mails, webhooks, ...logs] = await Promise.all([
        inTime(() => databaseStatus(parts)),
        inTime(() => jobsStatus(parts)),
        inTime(() => mailsStatus(parts, checkMailer)),
        inTime(() => webhooksStatus(parts)),
        ...modes.map(async (mode) => ({ ...(await inTime(() => logStatus(parts, mode))), mode })),
      ])
      const transport = parts.config.smtpUrl === undefined ? ('folder' as const) : ('smtp' as const)
      const vatRegister = vatStatus(parts)
      const all: readonly Part[] = [database, jobs, mails, webhooks, vatRegister, ...logs]
      return {
        state: worst(all),
        version,
        publicUrl: parts.publicUrl(),
        database,
        jobs,
        logs,
        mails: { ...mails, transport },
        webhooks,
        vatRegister,
      }
    }),
  ]
}

export const readVersion = (): string => {
  const file = join(import.meta.dirname, '..', '..', '..', 'package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

const worst = (parts: readonly Part[]): Part['state'] =>
  (['down', 'degraded'] as const).find((state) => parts.some((part) => part.state === state)) ?? 'ok'

const ok = (says: string): Part => ({ state: 'ok', says })
const degraded = (says: string): Part => ({ state: 'degraded', says })
const down = (says: string): Part => ({ state: 'down', says })

const inTime = async <P extends Part>(read: () => Promise<P>): Promise<P | Part> => {
  const late = Promise.withResolvers<Part>()
  using _deadline = startDeadline(waitMs, () => late.resolve(degraded(`No answer within ${waitMs} ms`)))
  try {
    return await Promise.race([read(), late.promise])
  } catch (error) {
    return down(withoutSecrets(error instanceof Error ? error.message : 'It failed', maxReasonLength))
  }
}

const databaseStatus = async ({ database }: Parts): Promise<InstallationStatus['database']> => {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version') as version`.execute(database.query)
  const version = rows[0]?.version ?? ''
  return { ...ok(`PostgreSQL ${version} answers`), version }
}

const jobsStatus = async ({ jobs }: Parts): Promise<InstallationStatus['jobs']> => {
  const counts = await jobs.counts()
  const sum = (of: 'waiting' | 'failed') => counts.reduce((total, count) => total + count[of], 0)
  const [waiting, failed] = [sum('waiting'), sum('failed')]
  const overdueSeconds = Math.floor(Math.max(0, ...counts.map((count) => count.overdueSeconds)))
  const facts = { waiting, failed, overdueSeconds }
  const says = `${waiting} wait; ${failed} failed in the past month`
  if (overdueSeconds > maxOverdueSeconds) {
    const minutes = Math.floor(overdueSeconds / 60)
    return { ...degraded(`${says}; the oldest has been due for ${minutes} minutes`), ...facts }
  }
  const state = failed > 0 ? degraded(says) : ok(says)
  return { ...state, ...facts }
}

const mailsStatus = async (
  { users, pipe, clock, config }: Parts,
  checkMailer: ReturnType<typeof createRecentCheck>,
): Promise<Part & Partial<MailCounts>> => {
  const since = new Date(clock.now() - dayMs)
  const [checked, ...counts] = await Promise.all([
    checkMailer(),
    users.countMails(since),
    pipe.countMails(since),
  ])
  const waiting = counts.reduce((total, count) => total + count.waiting, 0)
  const failed = counts.reduce((total, count) => total + count.failed, 0)
  const place =
    config.smtpUrl === undefined ? 'Mails are saved as files' : 'Mails are handed to the mail server'
  const says = `${place}; ${waiting} wait; ${failed} failed in the past day`
  if (checked === undefined) return { ...degraded(`${says}; it has not answered yet`), waiting, failed }
  if (checked.error !== undefined) {
    return {
      ...down(`No mail can be sent: ${withoutSecrets(checked.error, maxReasonLength)}`),
      waiting,
      failed,
    }
  }
  const state = failed > 0 ? degraded(says) : ok(says)
  return { ...state, waiting, failed }
}

const webhooksStatus = async ({ pipe }: Parts): Promise<InstallationStatus['webhooks']> => {
  const { count: failing, newest } = await pipe.findFailingHooks()
  if (newest === undefined) return { ...ok('No webhook fails'), failing }
  const { id, companyId, host, since } = newest
  return {
    ...degraded(`${failing} webhooks fail; the newest since ${since.toISOString()}`),
    failing,
    newest: { id, company: companyId, host, since: since.toISOString() },
  }
}

const logStatus = async ({ ledgers }: Parts, mode: LogStatus['mode']): Promise<Omit<LogStatus, 'mode'>> => {
  const { obstacle, warning, files, confirmation } = ledgers.embedded(mode)
  const note = await files.readCheckpoint()
  const checkpoint = note === undefined ? undefined : checkpointIn(note)
  const entries = checkpoint?.size ?? 0
  const facts = {
    entries,
    checkpointAt: checkpoint?.time,
    origin: checkpoint?.origin,
    operator: checkpoint?.operator,
    holders: (await confirmation?.readHolders())?.map(({ name, keyName, held }) => ({
      name,
      key: keyName,
      since: held?.since.toISOString(),
      entries: held?.size,
      signedAt: held?.signedAt.toISOString(),
    })),
  }
  if (obstacle !== undefined) return { ...down(obstacle.message), ...facts }
  if (warning !== undefined) return { ...degraded(warning), ...facts }
  const unconfirmed = await confirmation?.check().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : 'no quorum of cosigners'),
  )
  if (unconfirmed !== undefined)
    return { ...degraded(withoutSecrets(unconfirmed, maxReasonLength)), ...facts }
  return { ...ok(entries === 0 ? 'The log is empty' : `The log has ${entries} entries`), ...facts }
}

const vatStatus = ({ config, vatRegistry }: Parts): InstallationStatus['vatRegister'] => {
  if (config.vies === 'off')
    return { ...ok('VAT ids are not looked up: MILLSEAL_VIES is off'), lookedUp: false }
  const { last } = vatRegistry
  if (last === undefined) return { ...ok('The register was not asked yet'), lookedUp: true }
  const asked = { lookedUp: true, askedAt: last.at.toISOString() }
  return last.failure === undefined
    ? { ...ok('The register answered'), ...asked }
    : { ...degraded(`The register did not answer: ${last.failure}`), ...asked }
}
