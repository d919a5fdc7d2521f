import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { openTestDatabase } from '../../test/database.ts'
import { openInstallation } from '../../test/installation.ts'
import { nodeEnvironment } from '../../test/node-environment.ts'
import { freePort } from '../../test/server-process.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf } from '../../test/test-server.ts'
import { ConfigError } from '../config.ts'
import { reachDatabase } from './reach-database.ts'

const said = (): { lines: string[]; say: (line: string) => void } => {
  const lines: string[] = []
  return { lines, say: (line) => void lines.push(line) }
}

const start = async (environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...nodeEnvironment(), MILLSEAL_MQTT_PORT: 'off', MILLSEAL_MQTTS_PORT: 'off', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  const errors = stderr.split('\n').filter((line) => line.startsWith('millseal: '))
  return { errors, code: code as unknown }
}

describe('the database that DATABASE_URL names', () => {
  test('is not waited for if it is there', async () => {
    await using database = await openTestDatabase()
    const { lines, say } = said()
    await reachDatabase(addressOf(database), say)
    assert.deepEqual(lines, [])
  })

  test('is waited for if it is starting, which is said once', async () => {
    await using database = await openTestDatabase()
    const place = new URL(addressOf(database))
    const folder = place.searchParams.get('host')
    const target =
      folder === null
        ? { host: place.hostname, port: Number(place.port) }
        : { path: join(folder, `.s.PGSQL.${place.port === '' ? 5432 : place.port}`) }
    const port = await freePort()
    const late = createServer((socket) => void pipeline(socket, connect(target), socket, () => {}))
    const lines: string[] = []
    await reachDatabase(
      `postgresql://${place.username}:${place.password}@127.0.0.1:${port}${place.pathname}`,
      (line) => {
        lines.push(line)
        late.listen(port, '127.0.0.1')
      },
    )
    late.close()
    assert.equal(lines.length, 1)
    assert.match(
      lines[0] ?? '',
      /^waiting up to 10 s for the database at 127\.0\.0\.1:\d+, .*: ECONNREFUSED$/,
    )
  })

  test('is no longer waited for in the end: one line with its host and port, and nothing secret', async () => {
    const port = await freePort()
    const { lines, say } = said()
    await assert.rejects(
      reachDatabase(`postgresql://millseal:hidden@127.0.0.1:${port}/millseal`, say, 500),
      (error: Error) =>
        error.message === `DATABASE_URL: the database at 127.0.0.1:${port} cannot be reached: ECONNREFUSED` &&
        !(error instanceof ConfigError),
    )
    assert.equal(lines.length, 1)
  })

  test('without this name is a wrong setting: one line and exit code 2', async () => {
    await using database = await openTestDatabase()
    await using folder = await makeTemporaryFolder()
    const url = addressOf(database).replace(/\/[^/?]+(?=\?|$)/, '/no-such-database')
    const { errors, code } = await start({
      DATABASE_URL: url,
      MILLSEAL_DATA_DIR: folder.path,
      MILLSEAL_PORT: '0',
    })
    assert.equal(code, 2)
    assert.equal(errors.length, 1)
    assert.match(errors[0] ?? '', /^millseal: DATABASE_URL: the server at .* has no database with this name$/)
  })

  test('has its files elsewhere: one line that names the setting, and exit code 2', async () => {
    await using installed = await openInstallation()
    await installed.record(installed.settingsOf('folder'))
    const { errors, code } = await start({
      DATABASE_URL: addressOf(installed.database),
      MILLSEAL_DATA_DIR: join(installed.path, 'data'),
      MILLSEAL_FILES: 'postgres',
      MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
      MILLSEAL_PORT: '0',
    })
    assert.equal(code, 2)
    assert.equal(errors.length, 1)
    assert.match(errors[0] ?? '', /set MILLSEAL_FILES=folder, or .*millseal files move postgres$/)
  })
})
