import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AuditVerification } from '@millseal/contract'
import { sql } from 'kysely'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { eventually } from '../../../../test/eventually.ts'
import { executeIn } from '../../../../test/execute-in.ts'
import { foundCompany, type Person, signUp, signUpOperator } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { createAuditChain } from '../../../adapters/audit/audit-chain.ts'
import { auditHead } from './record-audit-head.ts'

let server: TestServer
let second: CertificateProcess
let operator: Person
let person: Person
before(async () => {
  server = await startOwnServer()
  second = await openCertificateProcess(server)
  operator = await signUpOperator(server)
  person = await signUp(server, 'recorded')
  for (const name of ['Mill One', 'Mill Two', 'Mill Three']) await foundCompany(server, person, { name })
  await recordHead()
  await foundCompany(server, person, { name: 'Mill Four' })
  await extend()
})
after(async () => {
  await second[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const extend = () => createAuditChain(server).extend(second.deps.database)
const verify = (): Promise<AuditVerification> => server.client(operator.accessToken).verifyAuditLog()
const faultsOf = async () => (await verify()).faults.map(({ kind, position }) => [kind, position])

const recordHead = async (): Promise<void> => {
  const { jobs, database } = second.deps
  const recorded = async () => (await database.query.selectFrom('auditHeads').selectAll().execute()).length
  const earlier = await recorded()
  await database.transaction((tx) => jobs.enqueue(tx, auditHead, {}))
  await eventually(async () => (await recorded()) > earlier, { what: () => 'a head on the log' })
}

/** What somebody can do who owns the database. */
const tamper = (statements: string) =>
  executeIn(server, `set session_replication_role = replica; ${statements}`)
const entry = (position: number) => `(select entry_id from audit_chain where position = ${position})`

describe('the audit log', () => {
  test('is intact as long as nobody changes it, and the live log has its head', async () => {
    const { intact, head, waiting, recorded, faults } = await verify()
    assert.deepEqual([intact, waiting, faults], [true, 0, []])
    assert.ok(head !== undefined && recorded !== undefined && recorded.position < head.position)
    assert.match(recorded.transactionId, /^[\da-f]{64}$/)
  })

  test('cannot be verified by others than operators', async () => {
    await assertRefused(server.client(person.accessToken).verifyAuditLog(), 'role_missing')
  })

  const changes = {
    'an altered entry': {
      statement: `update audit_log set details = details || ' ' where id = ${entry(2)}`,
      undo: `update audit_log set details = rtrim(details) where id = ${entry(2)}`,
      faults: [['altered', 2]],
    },
    'a removed entry': {
      statement: `create table kept as select * from audit_log where id = ${entry(2)};
        delete from audit_log where id = ${entry(2)}`,
      undo: 'insert into audit_log select * from kept; drop table kept',
      faults: [['removed', 2]],
    },
    'an entry inserted past the trigger': {
      statement: `insert into audit_log (id, at, actor, action, subject, details)
        values ('00000000-0000-7000-8000-000000000001', now(), 'user:x', 'companies.review', 'company:x', '{}')`,
      undo: `delete from audit_log where id = '00000000-0000-7000-8000-000000000001'`,
      faults: [['inserted', undefined]],
    },
    'an altered hash': {
      statement: `update audit_chain set entry_hash = sha256('x') where position = 2;
        update audit_log set details = details || ' ' where id = ${entry(2)};
        update audit_chain set entry_hash = audit_entry_hash(a) from audit_log a where a.id = entry_id and position = 2`,
      undo: `update audit_log set details = rtrim(details) where id = ${entry(2)};
        update audit_chain set entry_hash = audit_entry_hash(a) from audit_log a where a.id = entry_id and position = 2`,
      faults: [['chain', 2]],
    },
  } as const
  for (const [what, { statement, undo, faults }] of Object.entries(changes))
    test(`shows ${what}`, async () => {
      await tamper(statement)
      assert.deepEqual(await faultsOf(), faults)
      await tamper(undo)
      assert.deepEqual(await faultsOf(), [])
    })

  test('shows an entry that was dated back, although the service chained it', async () => {
    server.clock.advance({ minutes: 20 })
    operator = await signUpOperator(server)
    await extend()
    await foundCompany(server, await signUp(server, 'later-one'), { name: 'Mill Five' })
    await extend()
    const id = '00000000-0000-7000-8000-000000000002'
    await executeIn(
      server,
      `insert into audit_log (id, at, actor, action, subject, details)
      values ('${id}', now() - interval '2 hours', 'user:x', 'companies.review', 'company:x', '{}')`,
    )
    await extend()
    const { head, faults } = await verify()
    assert.deepEqual(faults, [{ kind: 'inserted', position: head?.position, entry: id }])
    await tamper(`delete from audit_chain where entry_id = '${id}'; delete from audit_log where id = '${id}'`)
    assert.deepEqual(await faultsOf(), [])
  })

  test('shows a chain that was cut or built again, by the head on the log', async () => {
    await tamper('create table kept as select * from audit_chain; delete from audit_chain where position > 1')
    const kinds = new Set((await faultsOf()).map(([kind]) => kind))
    assert.deepEqual(kinds, new Set(['inserted', 'head']))
    await tamper(`delete from audit_chain; insert into audit_waiting select id from audit_log;
      update audit_log set details = details || ' ' where id = (select entry_id from kept where position = 2)`)
    await extend()
    assert.deepEqual(await faultsOf(), [['head', (await verify()).recorded?.position]])
    await tamper(`delete from audit_heads`)
    assert.equal((await faultsOf())[0]?.[0], 'head')
  })
})

test('the scheduler itself records the head, every night', async () => {
  const { query } = second.deps.database
  const schedule = sql<{ cron: string; timezone: string }>`
    select cron, timezone from pgboss.schedule where name = ${auditHead.name}`
  assert.deepEqual((await schedule.execute(query)).rows, [{ cron: '47 2 * * *', timezone: 'UTC' }])
  const heads = () => query.selectFrom('auditHeads').select('recordedAt').execute()
  const earlier = (await heads()).length
  await foundCompany(server, await signUp(server, 'at-night'), { name: 'Mill Six' })
  // From here on nothing is called: only the schedule is moved to every minute.
  await executeIn(server, `update pgboss.schedule set cron = '* * * * *' where name = '${auditHead.name}'`)
  await eventually(async () => (await heads()).length > earlier, {
    what: 'the nightly run records a head',
    everyMs: 200,
  })
})
