import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openTestDatabase } from '../../test/database.ts'
import { addressOf, startOwnServer } from '../../test/test-server.ts'
import { password, signUp } from '../../test/people.ts'

test('a server does not start with a wrong master key, and starts again with the right one', async () => {
  await using database = await openTestDatabase()
  const databaseUrl = addressOf(database)
  const key = randomBytes(32).toString('base64')
  {
    await using server = await startOwnServer({ databaseUrl, environment: { MILLSEAL_MASTER_KEY: key } })
    await signUp(server, 'key-holder')
  }
  const wrong = startOwnServer({
    databaseUrl,
    environment: { MILLSEAL_MASTER_KEY: randomBytes(32).toString('base64') },
  })
  await assert.rejects(
    wrong,
    /another master key \([0-9a-f]{8}\): put that key into master\.key .* MILLSEAL_MASTER_KEY/,
  )
  await using again = await startOwnServer({ databaseUrl, environment: { MILLSEAL_MASTER_KEY: key } })
  assert.ok((await again.client().login({ body: { username: 'key-holder', password } })).accessToken)
})
