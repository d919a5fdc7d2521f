import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Readiness } from '@millseal/contract'
import { certificateAsset, makeLedgerSigner } from '../../test/ledger-signer.ts'
import { startOwnServer } from '../../test/test-server.ts'

test('a server whose clock jumps answers 503 to what records and says why, in readiness and metrics too', async () => {
  await using server = await startOwnServer()
  const record = async () => {
    const answer = await fetch(`${server.url}/ledger/test/api/v1/transactions?mode=commit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(makeLedgerSigner().create(certificateAsset())),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const readiness = async () => {
    const answer = await fetch(`${server.url}/api/ready`)
    assert.equal(answer.status, 200)
    const { status, dependencies, roles } = (await answer.json()) as Readiness
    const states = [status, ...roles.map((role) => `${role.name} ${role.status}`)].join(', ')
    return { states, log: dependencies.find(({ name }) => name === 'test log') }
  }
  const isStopped = async () =>
    /millseal_ledger_stopped\{mode="test"\} (\d)/.exec(
      await (await fetch(`${server.url}/metrics`)).text(),
    )?.[1]
  assert.equal((await record()).status, 202)
  assert.deepEqual((await readiness()).log, { name: 'test log', status: 'up' })
  assert.equal(await isStopped(), '0')
  server.clock.jump({ days: -3 })
  const { status, text } = await record()
  assert.equal(status, 503)
  assert.match(text, /clock of this machine was set back by 3 days/)
  const { log: found, states } = await readiness()
  assert.equal(found?.status, 'down')
  assert.match(found.error ?? '', /set back by 3 days/)
  assert.equal(states, 'read_only, api read_only, worker not_ready, broker ready')
  assert.equal(await isStopped(), '1')
  server.clock.jump({ days: 3 })
  assert.equal((await record()).status, 202)
  assert.equal(await isStopped(), '0')
})
