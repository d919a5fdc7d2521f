import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeDatabase, suiteMaxConnections } from '../../../ports/database/database.suite.ts'
import { eventually } from '../../../../test/eventually.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { openEmbedded } from './embedded.ts'

describeDatabase('embedded', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
  const database = await openEmbedded({
    dataDir,
    applicationName: 'suite',
    maxConnections: suiteMaxConnections,
    log: silentLog,
  })
  let killed: number | undefined
  return {
    database,
    async crash() {
      killed = database.pid
      assert.ok(killed)
      process.kill(killed, 'SIGKILL')
    },
    // Until then a connection of the killed program may still answer.
    async revive() {
      await eventually(() => database.pid !== undefined && database.pid !== killed)
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
})
