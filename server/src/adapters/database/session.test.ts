import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DatabaseUnavailable } from '../../ports/database/database.ts'
import { freePort } from '../../../test/server-process.ts'
import { openSession } from './session.ts'

describe('a session of the database', () => {
  test('that cannot be opened says that the database is unavailable, and why', async () => {
    const port = await freePort()
    const opening = openSession({
      connection: { host: '127.0.0.1', port },
      applicationName: 'test',
      channels: [],
      onNotification: () => {},
      onLost: () => {},
    })
    await assert.rejects(
      opening,
      (error) =>
        error instanceof DatabaseUnavailable &&
        error.message === `The database is unavailable: connect ECONNREFUSED 127.0.0.1:${port}`,
    )
  })
})
