import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createClient } from '@millseal/sdk'
import { sampleCertificate } from '../../test/certificates.ts'
import { onceItWorks } from '../../test/eventually.ts'
import { startServer } from '../../test/server-process.ts'
import { endedNotarization } from '../../test/signers.ts'
import { connected, openInstallation, rows } from './killed.suite.ts'

test('what waits for a release survives a kill, and is notarized once after a kill right behind its release', async () => {
  await using installed = await openInstallation()
  const { environment, url, token, company, identity, admin, approver } = installed
  await using database = await connected(environment.DATABASE_URL)
  const [machine, asAdmin, asApprover] = [token, admin.accessToken, approver.accessToken].map((accessToken) =>
    createClient({ baseUrl: url, accessToken }),
  )
  assert.ok(machine && asAdmin && asApprover)
  let server = await startServer(environment)
  const restart = async () => {
    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
    // As if the lease of the killed process had ended.
    await database.query("update certificates set next_attempt_at = now() where state = 'running'")
    server = await onceItWorks(() => startServer(environment))
  }
  try {
    await asAdmin.updateCompany({ params: { id: company }, body: { fourEyes: 'everyone' } })
    const document = new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' })
    const query = { mode: 'test', identity } as const
    const { jobId = '', state } = await machine.notarizeCertificate({ query, document })
    assert.equal(state, 'awaitingRelease')
    await restart()
    const call = { company, params: { id: jobId } }
    assert.equal((await onceItWorks(() => asApprover.readCertificate(call))).state, 'awaitingRelease')
    assert.deepEqual(await rows(database, 'select 1 from ledger_entries where json_hash is not null'), [])
    const released = await asApprover.releaseCertificate(call)
    assert.equal(released.release?.decision, 'released')
    await restart()
    const ended = await onceItWorks(() => endedNotarization(asAdmin, { company, jobId }))
    assert.deepEqual([ended.state, ended.release?.by], ['notarized', approver.id])
    assert.equal((await rows(database, 'select 1 from ledger_entries where json_hash is not null')).length, 1)
    assert.equal(
      (await asApprover.releaseCertificate(call)).state,
      'notarized',
      'repeating it changes nothing',
    )
  } finally {
    server.child.kill('SIGKILL')
  }
})
