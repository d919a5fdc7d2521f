import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Identity, MemberRole } from '@millseal/contract'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually } from '../../test/eventually.ts'
import { newLiveOwner, type Owner } from '../../test/machines.ts'
import { type Person, signUp } from '../../test/people.ts'
import { newIdentity } from '../../test/signers.ts'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { connected, rows } from './killed.suite.ts'

let server: TestServer
let mill: Owner
let identity: Identity
let clerk: Person
let approvers: readonly Person[]

before(async () => {
  server = await startOwnServer()
  mill = await newLiveOwner(server, 'waiting-works')
  clerk = await join('writer', 'clerk', mill)
  approvers = [
    await join('first-approver', 'approver', mill),
    await join('second-approver', 'approver', mill),
  ]
  identity = await newIdentity(as(mill.admin), mill.company.id)
  await demandRelease(mill)
})
after(() => server[Symbol.asyncDispose]())

const as = ({ accessToken }: Person) => server.client(accessToken)
const demandRelease = ({ admin, company }: Owner) =>
  as(admin).updateCompany({ params: { id: company.id }, body: { fourEyes: 'everyone' } })

const join = async (username: string, role: MemberRole, { admin, company }: Owner): Promise<Person> => {
  const person = await signUp(server, username)
  await as(admin).addMember({ params: { id: company.id }, body: { email: person.email, role } })
  return person
}

const submit = (by: Person, { company }: Owner, { id }: Identity) =>
  as(by).notarizeCertificate({
    company: company.id,
    query: { mode: 'test', identity: id },
    document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
  })

const about = /wait(?:s)? for your release|wart(?:et|en) auf Ihre Freigabe/
const subjectsTo = async ({ email }: Person, atLeast: number) =>
  (await server.mailsTo(email, atLeast, about)).map(
    (mail) => /^Subject: (.+(?:\r?\n .+)*)/m.exec(mail)?.[1] ?? '',
  )

describe('what waits for a release', () => {
  test('is mailed to approvers, once an hour however much waits, and to no other member', async () => {
    await submit(clerk, mill, identity)
    for (const approver of approvers) {
      const [subject = '', ...more] = await subjectsTo(approver, 1)
      assert.match(subject, /^\[TEST\] .*(?:A certificate waits|Ein Zeugnis wartet)/)
      assert.deepEqual(more, [])
    }
    await submit(clerk, mill, identity)
    await submit(clerk, mill, identity)
    await using database = await connected(server.config.databaseUrl ?? '')
    const isNotice = "name = 'certificate-release-notice' and state = 'created'"
    // One for both, at the end of the hour.
    await eventually(async () => {
      const due = await rows(
        database,
        `select start_after > now() as is_later from pgboss.job where ${isNotice}`,
      )
      return due.length === 1 && due[0]?.['is_later'] === true
    })
    server.clock.advance({ seconds: 3_601 })
    await database.query(`update pgboss.job set start_after = now() where ${isNotice}`)
    for (const approver of approvers) {
      const subjects = await subjectsTo(approver, 2)
      assert.equal(subjects.length, 2)
      assert.match(subjects.at(-1) ?? '', /^\[TEST\] 3 /)
    }
    for (const person of [clerk, mill.admin]) assert.deepEqual(await subjectsTo(person, 0), [])
  })

  test('is mailed to admins if no approver may release it, and not to its submitter', async () => {
    const small = await newLiveOwner(server, 'small-works')
    const lone = await join('lone-approver', 'approver', small)
    const own = await newIdentity(as(small.admin), small.company.id)
    await demandRelease(small)
    await submit(lone, small, own)
    assert.equal((await subjectsTo(small.admin, 1)).length, 1)
    assert.deepEqual(await subjectsTo(lone, 0), [])
  })
})
