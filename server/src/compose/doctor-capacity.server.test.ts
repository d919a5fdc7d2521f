import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../test/database.ts'
import { silentLog } from '../../test/silent-log.ts'
import { addressOf, startOwnServer } from '../../test/test-server.ts'
import { openPostgres } from '../adapters/database/postgres.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../ports/database/database.ts'
import { checkConnections, checkProcesses } from './doctor-capacity.ts'

const configWith = (environment: Readonly<Record<string, string>>) =>
  readConfig({ MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'), ...environment })

const gibibyte = 2 ** 30

describe('doctor', () => {
  let database: Database
  before(async () => {
    database = await openTestDatabase()
  })
  after(() => database[Symbol.asyncDispose]())

  test('says how many processes there are, and warns of more than cores or memory allow', () => {
    const three = configWith({ MILLSEAL_PROCESSES: '3' })
    assert.deepEqual(checkProcesses(three, { cores: 4, memory: 2 * gibibyte }), {
      outcome: 'passed',
      says: '3 with 4 cores and 2048 MiB of memory (MILLSEAL_PROCESSES)',
    })
    const fewCores = checkProcesses(three, { cores: 2, memory: 2 * gibibyte })
    assert.equal(fewCores.outcome, 'warning')
    assert.match(fewCores.says, /more processes than cores gain nothing$/)
    const littleMemory = checkProcesses(three, { cores: 4, memory: gibibyte / 2 })
    assert.equal(littleMemory.outcome, 'warning')
    assert.match(littleMemory.says, /512 MiB .* take 570 MiB without any work$/)
    assert.match(checkProcesses(three).says, /^3 with [1-9]\d* cores and [1-9]\d* MiB of memory/)
  })

  test('warns if PostgreSQL allows fewer connections than the server opens', async () => {
    const few = await checkConnections(configWith({ MILLSEAL_DATABASE_CONNECTIONS: '4' }), database)
    assert.equal(few.outcome, 'passed')
    assert.match(few.says, /^This server opens up to 16 of the \d+ connections that PostgreSQL allows$/)
    const many = await checkConnections(configWith({ MILLSEAL_DATABASE_CONNECTIONS: '500' }), database)
    assert.equal(many.outcome, 'warning')
    assert.match(
      many.says,
      /up to 512 .*: set MILLSEAL_DATABASE_CONNECTIONS lower or max_connections higher$/,
    )
  })

  test('counts the connections of all processes that run', async () => {
    const settings = { MILLSEAL_PROCESSES: '1', MILLSEAL_DATABASE_CONNECTIONS: '4' }
    const says = async () => (await checkConnections(configWith(settings), database)).says
    await using opened = new AsyncDisposableStack()
    const start = async () => opened.use(await startOwnServer({ databaseUrl: addressOf(database) }))
    await start()
    assert.match(await says(), /^This server opens up to 16 of /)
    await start()
    await start()
    assert.match(await says(), /^The 3 processes that run open up to 48 of /)
  })

  test('warns if the role of the server may open fewer', async () => {
    const role = `limited_${randomBytes(5).toString('hex')}`
    await sql`create role ${sql.id(role)} login password 'secret' connection limit 15`.execute(database.query)
    try {
      const address = new URL(addressOf(database))
      address.username = role
      address.password = 'secret'
      await using limited = openPostgres({
        connection: { connectionString: address.href },
        applicationName: 'doctor',
        maxConnections: 1,
        log: silentLog,
      })
      const { outcome, says } = await checkConnections(
        configWith({ MILLSEAL_DATABASE_CONNECTIONS: '4' }),
        limited,
      )
      assert.match(says, /up to 16 of the 15 connections/)
      assert.equal(outcome, 'warning')
    } finally {
      await sql`drop role ${sql.id(role)}`.execute(database.query)
    }
  })
})
