import { randomUUID } from 'node:crypto'
import { mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import { openForCommand } from './commands.ts'
import { verifyLogsIn } from './log-commands.ts'
import { openMailer } from './ports.ts'

export type Finding = {
  readonly name: string
  readonly outcome: 'passed' | 'warning' | 'failed'
  readonly says: string
}

const deadlineMs = 10_000
const leastFreeBytes = 2 ** 30
const mostClockSkewMs = 2_000

/** Looks at everything that a server needs, and at what a running one has; each finding by itself. */
export const examine = async (
  config: Config,
  unknown: readonly string[],
  onFinding: (finding: Finding) => void,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = []
  const report = (finding: Finding): void => {
    findings.push(finding)
    onFinding(finding)
  }
  report(settingsFinding(unknown))
  const look = async (name: string, work: () => Promise<Omit<Finding, 'name'>>): Promise<void> => {
    try {
      report({ name, ...(await work()) })
    } catch (error) {
      report({ name, outcome: 'failed', says: error instanceof Error ? error.message : String(error) })
    }
  }
  await look('data folder', () => checkFolder(resolve(config.dataDir)))
  await look('master key', () => checkMasterKey(config))
  await look('database', async () => {
    await using database = await openForCommand(config, createLog('silent'))
    await database.check(AbortSignal.timeout(deadlineMs))
    return await checkClock(database)
  })
  await look('ledger', () => checkLogs(config))
  await look('mail', async () => {
    await using mailer = openMailer(config, systemClock)
    await mailer.check(AbortSignal.timeout(deadlineMs))
    return passed(
      config.smtpUrl === undefined ? 'Mails become files: SMTP_URL is not set' : 'The mail server answers',
    )
  })
  for (const [name, port, host] of [
    ['port', config.port, config.host],
    ['MQTT port', config.mqttPort, '127.0.0.1'],
    ['MQTT port (TLS)', config.mqttsPort, config.host],
  ] as const) {
    if (port !== undefined) await look(name, () => checkPort(port, host))
  }
  return findings
}

const passed = (says: string): Omit<Finding, 'name'> => ({ outcome: 'passed', says })
const warning = (says: string): Omit<Finding, 'name'> => ({ outcome: 'warning', says })
const failed = (says: string): Omit<Finding, 'name'> => ({ outcome: 'failed', says })

const settingsFinding = (unknown: readonly string[]): Finding => ({
  name: 'settings',
  ...(unknown.length === 0
    ? passed('All can be used')
    : warning(`There is no setting ${unknown.join(', ')}; see millseal serve --help`)),
})

const checkFolder = async (folder: string): Promise<Omit<Finding, 'name'>> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const probe = join(folder, `.doctor-${randomUUID()}`)
  await writeFile(probe, '', { flag: 'wx' })
  await rm(probe)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const says = `${folder} is writable, ${Math.floor(free / 2 ** 20)} MiB are free`
  return free < leastFreeBytes ? warning(`${says}, which is little`) : passed(says)
}

const checkMasterKey = async ({ masterKeys, dataDir }: Config): Promise<Omit<Finding, 'name'>> => {
  if (masterKeys.length > 0) return passed(`MILLSEAL_MASTER_KEY has ${masterKeys.length}`)
  const file = resolve(dataDir, 'master.key')
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return warning(`There is no ${file} yet: the first start makes it`)
  const mode = (found.mode & 0o777).toString(8)
  return mode === '600' ? passed(`${file}, mode 600`) : failed(`${file} has mode ${mode}: it should be 600`)
}

const checkClock = async ({ query }: Database): Promise<Omit<Finding, 'name'>> => {
  const askedAt = systemClock.now()
  const { rows } = await sql<{ now: Date; version: string }>`
    select clock_timestamp() as now, current_setting('server_version') as version`.execute(query)
  const [row] = rows
  if (row === undefined) return failed('The database says nothing')
  const skewMs = Math.round(row.now.getTime() - (askedAt + systemClock.now()) / 2)
  const says = `PostgreSQL ${row.version} answers, its clock differs by ${skewMs} ms`
  return Math.abs(skewMs) > mostClockSkewMs ? warning(says) : passed(says)
}

const checkLogs = async (config: Config): Promise<Omit<Finding, 'name'>> => {
  const reports = [...(await verifyLogsIn(config, undefined))]
  const problem = reports.flatMap(([, { problems }]) => problems)[0]
  if (problem !== undefined) return failed(problem)
  return passed(
    reports.length === 0
      ? 'No log was started yet'
      : reports
          .map(([mode, { checkpoint }]) => `${mode}: ${checkpoint?.size ?? 0} entries, sound`)
          .join('; '),
  )
}

const checkPort = async (port: number, host: string): Promise<Omit<Finding, 'name'>> => {
  const server = createServer()
  const { promise, resolve: bound, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, bound)
  try {
    await promise
    return passed(port === 0 ? 'Any free one' : `${port} on ${host} is free`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      return warning(`${port} on ${host} is taken: by the server, if it runs`)
    throw error
  } finally {
    server.close()
  }
}
