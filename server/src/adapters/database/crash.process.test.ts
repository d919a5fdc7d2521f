import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { silentLog } from '../../../test/silent-log.ts'
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts'
import { readPostmasterPid, WriterProcess } from '../../../test/writer-process.ts'
import { openEmbedded } from './embedded/embedded.ts'

const rounds = Number(process.env['MILLSEAL_CRASH_ROUNDS'] ?? 5)
const writers = 4

describe('during acknowledged writes', () => {
  test('kill -9 of the server, alone or with its database, loses none of them', async (t) => {
    await using folder = await makeTemporaryFolder()
    const dataDir = join(folder.path, 'data')
    const acknowledged = new Set<string>()
    const starts: number[] = []
    for (let round = 0; round < rounds; round++) {
      await using writer = await WriterProcess.start({ dataDir, writers })
      starts.push(writer.readyMs)
      await writer.untilAcknowledged(200 + round * 137)
      const postmaster = await readPostmasterPid(dataDir)
      if (round % 2 === 1) process.kill(postmaster, 'SIGKILL')
      await writer.kill()
      for (const id of writer.acknowledged) acknowledged.add(id)
    }
    const lastStarted = performance.now()
    await assertKept(dataDir, acknowledged)
    starts.push(performance.now() - lastStarted)
    // The first start also created the database.
    const worstMs = Math.max(...starts.slice(1))
    t.diagnostic(
      `${acknowledged.size} acknowledged, none lost; slowest start after a kill ${Math.round(worstMs)} ms`,
    )
  })

  test('kill -9 of the database loses none of them, and the server keeps serving', async (t) => {
    await using folder = await makeTemporaryFolder()
    const dataDir = join(folder.path, 'data')
    await using writer = await WriterProcess.start({ dataDir, writers })
    const pauses: number[] = []
    for (let round = 0; round < rounds; round++) {
      await writer.untilAcknowledged(200 + round * 137)
      process.kill(await readPostmasterPid(dataDir), 'SIGKILL')
      const killed = performance.now()
      // More than can still be in progress from before the kill.
      await writer.untilAcknowledged(100)
      pauses.push(performance.now() - killed)
    }
    await writer.kill()
    await assertKept(dataDir, writer.acknowledged)
    const worstMs = Math.max(...pauses)
    t.diagnostic(
      `${writer.acknowledged.size} acknowledged, none lost; longest pause in writing ${Math.round(worstMs)} ms`,
    )
  })
})

async function assertKept(dataDir: string, acknowledged: ReadonlySet<string>): Promise<void> {
  await using database = await openEmbedded({
    dataDir,
    applicationName: 'crash test',
    maxConnections: 2,
    log: silentLog,
  })
  const { rows } = await sql<{ id: string; changed: boolean }>`select id, changed from written`.execute(
    database.query,
  )
  const kept = new Set(rows.filter(({ changed }) => changed).map(({ id }) => id))
  const lost = [...acknowledged].filter((id) => !kept.has(id))
  assert.deepEqual(lost, [])
  assert.equal(kept.size, rows.length, 'half of a transaction was stored')
}
