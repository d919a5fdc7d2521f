import assert from 'node:assert/strict'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openForCommand } from '../src/compose/commands.ts'
import { restoreTo } from '../src/compose/wal/restore-to.ts'
import { type Config, readConfig } from '../src/config.ts'
import { createLog } from '../src/lib/log.ts'
import { startOn } from './installation.ts'
import { certificateAsset, makeLedgerSigner } from './ledger-signer.ts'
import { countTransactions } from './log-size.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const mill = makeLedgerSigner()

export const onProgress = (): void => {}

/** For data folders that share an archive. */
export const openFolder = async () => {
  const folder = await makeTemporaryFolder()
  const environmentOf = (name: string): Readonly<Record<string, string>> => ({
    MILLSEAL_DATA_DIR: join(folder.path, name),
    MILLSEAL_WAL_ARCHIVE: join(folder.path, 'archive'),
    MILLSEAL_FILES: 'postgres',
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
    MILLSEAL_PORT: '0',
    MILLSEAL_MQTT_PORT: 'off',
    MILLSEAL_MQTTS_PORT: 'off',
    MILLSEAL_DRAIN_MS: '0',
    MILLSEAL_RATE_LIMIT: '0',
    MILLSEAL_VIES: 'off',
    MILLSEAL_SAMPLES: 'off',
  })
  const settingsOf = (name: string, more: Readonly<Record<string, string>> = {}): Config =>
    readConfig({ ...environmentOf(name), ...more })
  return {
    path: folder.path,
    environmentOf,
    settingsOf,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

export type Recorded = { readonly id: string; readonly sentAt: number; readonly answeredAt: number }

export const recordAt = async (url: string): Promise<Recorded> => {
  const transaction = mill.create(certificateAsset())
  const sentAt = Date.now()
  const answer = await fetch(`${url}/ledger/test/api/v1/transactions?mode=commit`, {
    method: 'POST',
    // Each time another of several processes answers.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(transaction),
  })
  assert.equal(answer.status, 202, await answer.text())
  return { id: transaction.id, sentAt, answeredAt: Date.now() }
}

export const isRecordedAt = async (url: string, id: string): Promise<boolean> => {
  const { status } = await fetch(`${url}/ledger/test/api/v1/transactions/${id}`)
  assert.ok(status === 200 || status === 404, String(status))
  return status === 200
}

export const startLoad = (url: string) => {
  const recorded: Recorded[] = []
  const ending = new AbortController()
  const worker = async (): Promise<void> => {
    while (!ending.signal.aborted) recorded.push(await recordAt(url))
  }
  const workers = [worker(), worker()]
  return {
    recorded,
    async reach(count: number): Promise<void> {
      while (recorded.length < count) recorded.push(await recordAt(url))
    },
    async end(): Promise<void> {
      ending.abort()
      await Promise.all(workers)
    },
  }
}

/** Resolves with the name of the segment, which PostgreSQL now passes on. */
export const endSegment = async (config: Config): Promise<string> => {
  await using database = await openForCommand(config, createLog('silent'))
  const { rows } = await sql<{ name: string }>`
    select pg_walfile_name(pg_switch_wal()) as name`.execute(database.query)
  return rows[0]?.name ?? ''
}

type Moment = {
  readonly recorded: readonly Recorded[]
  /** From then on, every second can be restored. */
  readonly base: Date
  /** With an empty data folder. */
  readonly target: Config
}

/** Restores a random moment: all that was acknowledged before is there, and nothing that was sent after. */
export const assertRestores = async ({ recorded, base, target }: Moment): Promise<void> => {
  const times = recorded.map(({ answeredAt }) => answeredAt).filter((at) => at > base.getTime())
  const to = new Date(times[Math.floor(Math.random() * (times.length - 10))] ?? 0)
  const { problems, logs } = await restoreTo(target, { to, onProgress })
  assert.deepEqual(problems, [])
  await using restored = await startOn(target)
  const found = new Set<string>()
  for (const { id } of recorded) if (await isRecordedAt(restored.url, id)) found.add(id)
  for (const { id, sentAt, answeredAt } of recorded) {
    const where = `${answeredAt - to.getTime()} ms after ${to.toISOString()}`
    if (answeredAt < to.getTime()) assert.ok(found.has(id), `lost, although answered ${where}`)
    if (sentAt > to.getTime()) assert.ok(!found.has(id), `restored, although answered ${where}`)
  }
  assert.ok(found.size > 0 && found.size < recorded.length)
  await using opened = await openForCommand(target, createLog('silent'))
  assert.equal(await countTransactions({ database: opened }), found.size)
  const size = logs.find(([mode]) => mode === 'test')?.[1].checkpoint?.size ?? 0
  await recordAt(restored.url)
  const note = await (await fetch(`${restored.url}/ledger/test/checkpoint`)).text()
  // The transaction and its state leaf.
  assert.equal(Number(note.split('\n')[1]), size + 2)
}
