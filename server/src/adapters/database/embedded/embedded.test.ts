import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeDatabase, suiteMaxConnections } from '../../../ports/database/database.suite.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { openEmbedded } from './embedded.ts'

describeDatabase('embedded', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'millseal-embedded-'))
  const database = await openEmbedded({
    dataDir,
    applicationName: 'suite',
    maxConnections: suiteMaxConnections,
    log: silentLog,
  })
  return {
    database,
    async crash() {
      assert.ok(database.pid)
      process.kill(database.pid, 'SIGKILL')
    },
    async revive() {},
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
})
