import { randomUUID } from 'node:crypto'
import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { ensureDataFolder } from '../config/usable-settings.ts'
import { createLog } from '../lib/log.ts'
import { systemClock } from '../ports/clock/clock.ts'
import type { Database } from '../ports/database/database.ts'
import { openForCommand } from './commands.ts'
import { checkConnections, checkProcesses } from './doctor-capacity.ts'
import { checkWalArchive } from './doctor-wal.ts'
import { failed, type Finding, passed, type Result, warning } from './doctor-finding.ts'
import { verifyLogsIn } from './log-commands.ts'
import { openMailer } from './ports.ts'
import { deadlineSignal } from '../lib/deadline.ts'

const deadlineMs = 10_000
const minFreeBytes = 2 ** 30
const maxClockSkewMs = 2_000

/** Checks everything a server needs, with one finding per check; `onFinding` gets each as soon as it is known. */
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
  const check = async (name: string, work: () => Promise<Result>): Promise<void> => {
    try {
      report({ name, ...(await work()) })
    } catch (error) {
      report({ name, outcome: 'failed', says: error instanceof Error ? error.message : String(error) })
    }
  }
  await check('data folder', () => checkFolder(config))
  await check('master key', () => checkMasterKey(config))
  await check('processes', async () => checkProcesses(config))
  let connections: Result | undefined
  await check('database', async () => {
    await using database = await openForCommand(config, createLog('silent'))
    await database.check(deadlineSignal(deadlineMs))
    // The embedded database is started with as many as its processes need.
    if (config.databaseUrl !== undefined) connections = await checkConnections(config, database)
    return await checkClock(database)
  })
  if (connections !== undefined) report({ name: 'connections', ...connections })
  if (config.walArchive !== undefined && config.databaseUrl === undefined)
    await check('write-ahead log', () => checkWalArchive(config))
  await check('ledger', () => checkLogs(config))
  await check('mail', async () => {
    await using mailer = openMailer(config, systemClock)
    await mailer.check(deadlineSignal(deadlineMs))
    return passed(
      config.smtpUrl === undefined
        ? 'E-mails are saved as files because SMTP_URL is not set'
        : 'The mail server answers',
    )
  })
  for (const [name, port, host] of [
    ['port', config.port, config.host],
    ['MQTT port', config.mqttPort, '127.0.0.1'],
    ['MQTT port (TLS)', config.mqttsPort, config.host],
  ] as const) {
    if (port !== undefined) await check(name, () => checkPort(port, host))
  }
  return findings
}

const settingsFinding = (unknown: readonly string[]): Finding => {
  const result =
    unknown.length === 0
      ? passed('All settings are valid')
      : warning(`Unknown: ${unknown.join(', ')}; see millseal serve --help`)
  return { name: 'settings', ...result }
}

const checkFolder = async (config: Config): Promise<Result> => {
  ensureDataFolder(config)
  const folder = resolve(config.dataDir)
  const probe = join(folder, `.doctor-${randomUUID()}`)
  await writeFile(probe, '', { flag: 'wx' })
  await rm(probe)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const says = `${folder} is writable and has ${Math.floor(free / 2 ** 20)} MiB of free space`
  return free < minFreeBytes ? warning(`${says}: free at least 1024 MiB`) : passed(says)
}

const checkMasterKey = async ({ masterKeys, dataDir }: Config): Promise<Result> => {
  if (masterKeys.length > 0) return passed(`MILLSEAL_MASTER_KEY contains ${masterKeys.length} keys`)
  const file = resolve(dataDir, 'master.key')
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return warning(`${file} does not exist yet: the first start creates it`)
  const mode = (found.mode & 0o777).toString(8)
  return mode === '600'
    ? passed(`${file} has mode 600`)
    : failed(`${file} has mode ${mode}: change it to 600`)
}

const checkClock = async ({ query }: Database): Promise<Result> => {
  const askedAt = systemClock.now()
  const { rows } = await sql<{ now: Date; version: string }>`
    select clock_timestamp() as now, current_setting('server_version') as version`.execute(query)
  const [row] = rows
  if (row === undefined) return failed('The database returned no row')
  const skewMs = Math.round(row.now.getTime() - (askedAt + systemClock.now()) / 2)
  const says = `PostgreSQL ${row.version} answers; its clock differs by ${skewMs} ms`
  return Math.abs(skewMs) > maxClockSkewMs ? warning(says) : passed(says)
}

const checkLogs = async (config: Config): Promise<Result> => {
  const reports = [...(await verifyLogsIn(config, undefined))]
  const problem = reports.flatMap(([, { problems }]) => problems)[0]
  if (problem !== undefined) return failed(problem)
  return passed(
    reports.length === 0
      ? 'There are no logs yet'
      : reports
          .map(([mode, { checkpoint }]) => `${mode}: ${checkpoint?.size ?? 0} entries verified`)
          .join('; '),
  )
}

const checkPort = async (port: number, host: string): Promise<Result> => {
  const server = createServer()
  const { promise, resolve: bound, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, bound)
  try {
    await promise
    return passed(port === 0 ? 'A free port is selected at the start' : `${port} on ${host} is free`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      return warning(`${port} on ${host} is in use, perhaps by your running server`)
    throw error
  } finally {
    server.close()
  }
}
