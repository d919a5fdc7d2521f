import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Client } from 'pg'
import { startTestServer } from '../../test/test-server.ts'
import { newApplication, newOwner, tokenOf } from '../../test/machines.ts'
import { refusal } from '../../test/refusal.ts'
import { eventsOf } from '../../test/traces.ts'

describe('an audit log that cannot be written', () => {
  test('prevents every action it would record, until it can be written again', async () => {
    await using server = await startTestServer()
    const owner = await newOwner(server, 'recorded')
    const application = await newApplication(server, owner)
    const client = server.client(owner.admin.accessToken)
    const rotate = () =>
      client.rotateApplicationSecret({
        company: owner.company.id,
        params: { id: application.id },
        body: {},
      })
    const before = await eventsOf(server, owner.company.id)

    const database = new Client({ connectionString: server.config.databaseUrl })
    await database.connect()
    try {
      await database.query('alter table audit_log add constraint away check (false) not valid')
      assert.equal((await refusal(rotate())).status, 500)
      assert.deepEqual(await eventsOf(server, owner.company.id), before)
      await database.query('alter table audit_log drop constraint away')
    } finally {
      await database.end()
    }

    assert.ok((await tokenOf(server, application)).length > 0, 'the secret is unchanged')
    const { clientSecret } = await rotate()
    assert.notEqual(clientSecret, application.clientSecret)
    assert.equal((await refusal(tokenOf(server, application))).status, 401)
  })
})
