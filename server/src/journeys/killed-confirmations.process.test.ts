import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createFolderFiles, createNodeServer, openNode, parseLogList } from '@millseal/node'
import { createClient } from '@millseal/sdk'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually, onceItWorks } from '../../test/eventually.ts'
import { lacksLitewitness, startLitewitness } from '../../test/litewitness.ts'
import { mailsAbout } from '../../test/mails-about.ts'
import { freePort, startServer } from '../../test/server-process.ts'
import { endedNotarization } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { connected, openInstallation, rows } from './killed.suite.ts'

const skip = await lacksLitewitness()
/** Any number, the same in the trigger and in the test. */
const lockId = 33

test('what was recorded is confirmed by a node and a witness later, although the server is killed where it begins to wait', {
  skip,
}, async () => {
  await using installed = await openInstallation()
  const { url, folder, token, company, identity } = installed
  await using opened = new AsyncDisposableStack()
  const environment = { ...installed.environment, MILLSEAL_CONFIRM: 'quorum' }
  const list = await listOf(installed.environment, url)
  const witness = opened.use(await startLitewitness('university.example'))
  const vkeys = [...list.matchAll(/^vkey (.+)$/gm)].map(([, vkey = '']) => vkey)
  for (const vkey of vkeys) witness.follow(vkey)
  const { path } = opened.use(await makeTemporaryFolder())
  const node = await openNode({
    name: 'inspection.example/node',
    logs: parseLogList(list),
    files: createFolderFiles(path),
  })
  const nodePort = await freePort()
  const policy = join(path, 'cosigners.policy')
  const lines = [
    `witness inspector ${node.keys.node.vkey} http://127.0.0.1:${nodePort}`,
    `witness university ${witness.vkey} ${witness.url}`,
    'group both all inspector university',
    'quorum both',
  ]
  await writeFile(policy, `${lines.join('\n')}\n`)
  await using database = await connected(environment.DATABASE_URL)
  await database.query(`
    create function hold_parking() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(${lockId}); return new; end';
    create trigger hold_parking before update on certificates for each row
      when (old.awaits_entry is null and new.awaits_entry is not null) execute function hold_parking();
    select pg_advisory_lock(${lockId})`)
  const start = () => startServer({ ...environment, MILLSEAL_COSIGNERS: policy })
  let server = await start()
  const kill = async (): Promise<void> => {
    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
  }
  opened.defer(kill)
  const client = createClient({ baseUrl: url, accessToken: token })
  const document = new Blob([JSON.stringify(sampleCertificate({ number: 'PARKED-1' }))], {
    type: 'application/json',
  })
  const { jobId = '' } = await client.notarizeCertificate({ query: { mode: 'test', identity }, document })
  const parked = () => rows(database, 'select 1 from certificates where awaits_entry is not null')
  const recorded = () => rows(database, 'select id from ledger_entries where json_hash is not null')
  await eventually(
    async () =>
      (await rows(database, "select 1 from pg_locks where locktype = 'advisory' and not granted")).length > 0,
    { what: 'the write that parks it' },
  )
  await kill()
  assert.deepEqual([(await recorded()).length, (await parked()).length], [1, 0])
  await database.query(`select pg_advisory_unlock(${lockId}); drop trigger hold_parking on certificates`)
  // As if the lease of the killed process had ended.
  const expire =
    "update certificates set next_attempt_at = now() where state = 'running' and awaits_entry is null"
  await database.query(expire)
  server = await onceItWorks(start)
  await eventually(async () => (await parked()).length === 1, { what: 'it waits' })
  await kill()
  server = await onceItWorks(start)
  const call = { company, params: { id: jobId } }
  assert.equal((await onceItWorks(() => client.readCertificate(call))).state, 'running')
  assert.equal((await mailsAbout([folder], /(PARKED-\d)/)).size, 0)
  const http = createNodeServer(node, { version: '0', note: () => {} }).listen(nodePort, '127.0.0.1')
  opened.defer(async () => {
    http.close()
    http.closeAllConnections()
    await node.close()
  })
  const ended = await endedNotarization(client, { company, jobId })
  assert.equal(ended.state, 'notarized')
  assert.deepEqual(ended.confirmedBy?.toSorted(), ['inspection.example/node', 'university.example'])
  assert.equal((await recorded()).length, 1)
  await eventually(async () => (await mailsAbout([folder], /(PARKED-\d)/)).size > 0)
})

/** As operators do it: the logs are there first, and their list goes to the cosigners. */
const listOf = async (environment: Readonly<Record<string, string>>, url: string): Promise<string> => {
  await using _server = await startServer(environment)
  return await (await fetch(`${url}/ledger/logs.v0`)).text()
}
