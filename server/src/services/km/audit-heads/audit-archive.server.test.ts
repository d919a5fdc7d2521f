import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createAuditChain } from '../../../adapters/audit/audit-chain.ts'
import { archiveAuditIn, verifyArchives } from '../../../compose/audit-archive.ts'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { eventually } from '../../../../test/eventually.ts'
import { executeIn } from '../../../../test/execute-in.ts'
import { foundCompany, type Person, signUp, signUpOperator } from '../../../../test/people.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../../test/temporary-folder.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { auditHead } from './record-audit-head.ts'

let server: TestServer
let second: CertificateProcess
let folder: TemporaryFolder
let operator: Person
let person: Person
before(async () => {
  server = await startOwnServer()
  second = await openCertificateProcess(server)
  folder = await makeTemporaryFolder()
  operator = await signUpOperator(server)
  person = await signUp(server, 'archived')
})
after(async () => {
  for (const part of [folder, second, server]) await part[Symbol.asyncDispose]()
})

const chain = () => createAuditChain(server)
const extend = () => chain().extend(second.deps.database)
const verify = () => server.client(operator.accessToken).verifyAuditLog()
const fileOf = (name: string): string => join(folder.path, name)
const archive = (path: string, limit = new Date()) => archiveAuditIn(server.config, { path, before: limit })

/** Entries, and a head after them on the live log. */
const act = async (company: string): Promise<void> => {
  await foundCompany(server, person, { name: company })
  const { jobs, database } = second.deps
  const heads = async () => (await database.query.selectFrom('auditHeads').selectAll().execute()).length
  const earlier = await heads()
  await database.transaction((tx) => jobs.enqueue(tx, auditHead, {}))
  await eventually(async () => (await heads()) > earlier, { what: () => 'a head on the log' })
}

const oldest = async () => {
  const { query } = second.deps.database
  const row = await query.selectFrom('auditChain').select('position').orderBy('position').executeTakeFirst()
  return row?.position
}

describe('the oldest entries of the audit log', () => {
  test('move to a file up to a head on the live log; what remains is intact', async () => {
    await act('Mill One')
    await foundCompany(server, person, { name: 'Mill Two' })
    await extend()
    const { recorded } = await verify()
    const { after: beginning, end, entries, transactionId } = await archive(fileOf('first.ndjson'))
    assert.deepEqual(
      [beginning.position, end.position, end.hash, entries, transactionId],
      [0, recorded?.position, recorded?.hash, recorded?.position, recorded?.transactionId],
    )
    assert.equal(await oldest(), end.position + 1)
    await extend()
    const { intact, faults, archived } = await verify()
    assert.deepEqual([intact, faults, archived?.position, archived?.hash], [true, [], end.position, end.hash])
    const [trace] = await server
      .client(operator.accessToken)
      .listAuditEntries({ query: { action: 'audit.archive' } })
    assert.equal(trace?.subject, `audit:${end.position}`)
  })

  test('move to a second file that continues the first one, and the chain goes on when all are archived', async () => {
    await act('Mill Three')
    const { end } = await archive(fileOf('second.ndjson'))
    assert.equal((await verifyArchives([fileOf('first.ndjson'), fileOf('second.ndjson')])).length, 2)
    await assert.rejects(
      verifyArchives([fileOf('second.ndjson'), fileOf('first.ndjson')]),
      /does not continue the file before it/,
    )
    await extend()
    assert.equal(await oldest(), end.position + 1)
    assert.equal((await verify()).intact, true)
  })

  test('stay if no head covers them, if the file exists, or if the log is not intact', async () => {
    await foundCompany(server, person, { name: 'Mill Four' })
    await extend()
    await assert.rejects(archive(fileOf('none.ndjson')), /there is no head on the live log/)
    await assert.rejects(readFile(fileOf('none.ndjson')), /ENOENT/)
    await act('Mill Five')
    await assert.rejects(archive(fileOf('early.ndjson'), new Date('2020-01-01')), /there is no head/)
    const limit = await readFile(fileOf('first.ndjson'))
    await assert.rejects(archive(fileOf('first.ndjson')), /EEXIST/)
    assert.deepEqual(await readFile(fileOf('first.ndjson')), limit)
    const change = (by: string) =>
      executeIn(
        server,
        `set session_replication_role = replica; update audit_log set details = ${by}
         where id = (select entry_id from audit_chain order by position limit 1)`,
      )
    await change(`details || ' '`)
    await assert.rejects(archive(fileOf('changed.ndjson')), /the audit log is not intact/)
    await change('rtrim(details)')
    assert.ok((await archive(fileOf('third.ndjson'))).entries > 0)
  })

  test('cannot be removed in another way', async () => {
    const { database } = second.deps
    await extend()
    for (const table of ['audit_log', 'audit_chain'] as const)
      await assert.rejects(executeIn(server, `delete from ${table}`), /append-only/)
    for (const table of ['audit_log', 'audit_chain', 'audit_archives'] as const)
      await assert.rejects(executeIn(server, `truncate ${table}`), /append-only/)
    await assert.rejects(database.query.deleteFrom('auditArchives').execute(), /append-only/)
  })
})

describe('a file of archived entries', () => {
  const damages: Readonly<Record<string, readonly [(lines: string[]) => string[], RegExp]>> = {
    'an altered entry': [
      (lines) => lines.map((line, at) => (at === 2 ? line.replace('user:', 'usex:') : line)),
      /another hash/,
    ],
    'a removed entry': [
      (lines) => lines.filter((_, at) => at !== 2),
      /line 3 (?:does not have the position 2|has another hash)/,
    ],
    'entries in another order': [
      ([a = '', b = '', c = '', ...more]) => [a, c, b, ...more],
      /line 2 does not have/,
    ],
    'a missing end': [(lines) => lines.slice(0, -1), /the end is missing/],
    'something after the end': [(lines) => [...lines, '{}'], /is not part of an archive/],
    'another beginning': [(lines) => ['{}', ...lines.slice(1)], /line 1 is not the beginning/],
    'no JSON': [() => ['x'], /line 1 is not part/],
  }
  for (const [what, [damage, reason]] of Object.entries(damages))
    test(`with ${what} is not valid`, async () => {
      const lines = (await readFile(fileOf('first.ndjson'), 'utf8')).trimEnd().split('\n')
      const path = fileOf(`${what}.ndjson`)
      await writeFile(path, `${damage(lines).join('\n')}\n`)
      await assert.rejects(verifyArchives([path]), reason)
    })
})
