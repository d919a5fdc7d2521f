import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Company, limits, type MemberRole } from '@millseal/contract'
import { assertNowhere } from '../../../../test/canaries.ts'
import { dumpOf } from '../../../../test/dump.ts'
import { invitationToken } from '../../../../test/invitations.ts'
import {
  foundCompany,
  type Person,
  password,
  signUp,
  signUpOperator,
  verifyCompany,
} from '../../../../test/people.ts'
import { assertRefused, outcomesOf } from '../../../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { auditOf, eventsAbout } from '../../../../test/traces.ts'
import { readMessage } from '../../../lib/read-message.ts'
import { linkOf, oneClick } from '../mailing/mailing.suite.ts'

let server: TestServer
let owner: Person
let operator: Person
before(async () => {
  server = await startOwnServer()
  owner = await signUp(server, 'owner')
  operator = await signUpOperator(server)
})
after(() => server[Symbol.asyncDispose]())

const as = (person: Pick<Person, 'accessToken'>) => server.client(person.accessToken)
const invite = ({ id }: Company, email: string, role: MemberRole = 'operator', by = owner) =>
  as(by).createInvitation({ params: { id }, body: { email, role } })
const list = ({ id }: Company) => as(owner).listInvitations({ params: { id } })
const accept = (token: string, body: { username?: string; password?: string } = {}) =>
  server.client().acceptInvitation({ query: { token }, body })
const read = (token: string) => server.client().readInvitationByLink({ query: { token } })
const contentOf = (mail = '') => {
  const { header, parts } = readMessage(Buffer.from(mail))
  return { header, text: String(parts[0]?.content) }
}
const verified = async () => {
  const company = await foundCompany(server, owner)
  await verifyCompany(server, operator, company.id)
  return company
}

describe('accepting an invitation', () => {
  test('makes a registered person a member, once, with events and an audit entry as for other members', async () => {
    const company = await verified()
    const invited = await signUp(server, 'registered')
    const { id, state, mail } = await invite(company, invited.email.toUpperCase(), 'read_only')
    assert.deepEqual([state, mail.state], ['open', 'waiting'])
    const token = await invitationToken(server, invited.email)
    const offer = await read(token)
    assert.deepEqual(
      [offer.company.name, offer.company.verified, offer.invitedBy, offer.role, offer.account],
      [company.name, true, 'owner', 'read_only', 'confirmed'],
    )
    const member = await accept(token)
    assert.deepEqual([member.user.id, member.role], [invited.id, 'read_only'])
    assert.ok((await as(invited).readMe()).assignedCompanies.some((one) => one.id === company.id))
    assert.deepEqual((await auditOf(server, company.id)).at(-1), {
      actor: `user:${invited.id}`,
      action: 'invitations.accept',
      details: { userId: invited.id, role: 'read_only', invitationId: id },
    })
    const topics = (await eventsAbout(server, company.id)).map(({ topic }) => topic)
    assert.ok(topics.includes(`user/${invited.id}/live/companies/update_one`))
    const [stored] = await list(company)
    assert.deepEqual([stored?.state, stored?.mail.state], ['accepted', 'sent'])
    await assertRefused(accept(token), 'link_invalid')
    await assertRefused(read(token), 'link_invalid')
  })

  test('creates a confirmed account for a person without one', async () => {
    const company = await verified()
    const email = 'stranger@customer.example'
    await invite(company, email)
    const token = await invitationToken(server, email)
    assert.equal((await read(token)).account, 'none')
    await assertRefused(accept(token), 'validation_failed')
    await assertRefused(accept(token, { username: 'stranger' }), 'validation_failed')
    await assertRefused(accept(token, { username: 'stranger', password: email }), 'password_rejected')
    await assertRefused(accept(token, { username: 'owner', password }), 'user_exists')
    await accept(token, { username: 'stranger', password })
    const session = await server.client().login({ body: { username: 'stranger', password } })
    const me = await as(session).readMe()
    assert.deepEqual([me.email, me.emailConfirmed], [email, true])
    assert.deepEqual(
      me.assignedCompanies.map(({ id }) => id),
      [company.id],
    )
  })

  test('gives an address that was registered without a proof to the owner of the address', async () => {
    const company = await verified()
    const email = 'squatted@customer.example'
    const squatter = { username: 'squatter', password: 'a password of the squatter' }
    await server.client().registerUser({ body: { ...squatter, email } })
    await invite(company, email)
    const token = await invitationToken(server, email)
    assert.equal((await read(token)).account, 'unconfirmed')
    await assertRefused(accept(token), 'validation_failed')
    await accept(token, { password })
    await assertRefused(server.client().login({ body: squatter }), 'credentials_wrong')
    const session = await server.client().login({ body: { username: 'squatter', password } })
    assert.equal((await as(session).readMe()).assignedCompanies.length, 1)
  })

  test('takes effect once if the link is used at the same time', async () => {
    const company = await verified()
    const invited = await signUp(server, 'hurried')
    await invite(company, invited.email)
    const token = await invitationToken(server, invited.email)
    assert.deepEqual(await outcomesOf([1, 2, 3].map(() => accept(token))), { link_invalid: 2, ok: 1 })
  })

  test('is refused to deactivated users and members', async () => {
    const company = await verified()
    const inactive = await signUp(server, 'inactive')
    const joined = await signUp(server, 'joined')
    await invite(company, inactive.email)
    await invite(company, joined.email)
    await as(operator).updateUser({ params: { id: inactive.id }, body: { status: 'inactive' } })
    await as(owner).addMember({ params: { id: company.id }, body: { email: joined.email, role: 'operator' } })
    await assertRefused(accept(await invitationToken(server, inactive.email)), 'user_inactive')
    await assertRefused(accept(await invitationToken(server, joined.email)), 'member_exists')
  })

  test('is not possible after two weeks, nor after the invitation was withdrawn', async () => {
    const company = await verified()
    const { id } = await invite(company, 'withdrawn@customer.example')
    const token = await invitationToken(server, 'withdrawn@customer.example')
    const params = { id: company.id, invitationId: id }
    await as(owner).withdrawInvitation({ params })
    await assertRefused(read(token), 'link_invalid')
    await assertRefused(as(owner).withdrawInvitation({ params }), 'not_found')
    assert.equal((await list(company))[0]?.state, 'withdrawn')
    await using later = await startOwnServer()
    const admin = await signUp(later, 'later')
    const other = await foundCompany(later, admin)
    const body = { email: 'late@customer.example', role: 'operator' } as const
    await later.client(admin.accessToken).createInvitation({ params: { id: other.id }, body })
    const late = await invitationToken(later, body.email)
    later.clock.advance({ days: limits.invitations.days })
    await assertRefused(later.client().readInvitationByLink({ query: { token: late } }), 'link_invalid')
    const again = await later.client().login({ body: { username: 'later', password } })
    const stored = await later.client(again.accessToken).listInvitations({ params: { id: other.id } })
    assert.equal(stored[0]?.state, 'expired')
    await later.client(again.accessToken).createInvitation({ params: { id: other.id }, body })
  })
})

describe('who may invite', () => {
  test('only admins invite, list and withdraw; other companies cannot even see an invitation', async () => {
    const company = await verified()
    const member = await signUp(server, 'mere-operator')
    await as(owner).addMember({ params: { id: company.id }, body: { email: member.email, role: 'operator' } })
    const { id } = await invite(company, 'one@customer.example')
    const params = { id: company.id }
    await assertRefused(invite(company, 'x@customer.example', 'admin', member), 'member_role_missing')
    await assertRefused(as(member).listInvitations({ params }), 'member_role_missing')
    const outsider = await signUp(server, 'outsider')
    const theirs = await foundCompany(server, outsider)
    await assertRefused(as(outsider).listInvitations({ params }), 'not_found')
    const foreign = { id: theirs.id, invitationId: id }
    await assertRefused(as(outsider).withdrawInvitation({ params: foreign }), 'not_found')
  })

  test('refuses members and addresses with an open invitation', async () => {
    const company = await verified()
    await invite(company, 'twice@customer.example')
    await assertRefused(invite(company, 'TWICE@customer.example'), 'invitation_exists')
    await assertRefused(invite(company, owner.email), 'member_exists')
  })

  test('a company that is not verified can invite few people, also if it withdraws, and the mail says so', async () => {
    const few = await signUp(server, 'few-invitations')
    const company = await foundCompany(server, few)
    const asFew = (email: string) => invite(company, email, 'operator', few)
    for (let count = 0; count < limits.invitations.unreviewed; count++) {
      const { id } = await asFew(`number-${count}@customer.example`)
      await as(few).withdrawInvitation({ params: { id: company.id, invitationId: id } })
    }
    await assertRefused(asFew('one-more@customer.example'), 'invitation_limit_reached')
    await verifyCompany(server, operator, company.id)
    await asFew('one-more@customer.example')
    const reviewed = await server.mailsTo('one-more@customer.example', 1)
    assert.doesNotMatch(contentOf(reviewed[0]).text, /nicht geprüft/)
  })
})

describe('the few invitations of companies that nobody reviewed', () => {
  test('are those of a person and of a VAT id, across all their companies, also deleted ones', async () => {
    const [person, other] = [await signUp(server, 'again-and-again'), await signUp(server, 'accomplice')]
    const vatId = 'ATU74488404'
    const found = (by: Person, about: { vatId?: string } = {}) => foundCompany(server, by, about)
    const inviteOne = (company: Company, by: Person) =>
      invite(company, `${crypto.randomUUID()}@customer.example`, 'operator', by)
    const { unreviewed } = limits.invitations
    const first = await found(person, { vatId })
    for (let count = 1; count < unreviewed; count++) await inviteOne(first, person)
    await as(person).deleteCompany({ params: { id: first.id } })
    const again = await found(person, { vatId })
    await inviteOne(again, person)
    await assertRefused(inviteOne(again, person), 'invitation_limit_reached')
    await assertRefused(inviteOne(await found(person), person), 'invitation_limit_reached')
    await as(person).deleteCompany({ params: { id: again.id } })
    const theirs = await found(other, { vatId })
    await assertRefused(inviteOne(theirs, other), 'invitation_limit_reached')
    await inviteOne(await found(other), other)
  })

  test('are no more if they are sent at once', async () => {
    const person = await signUp(server, 'all-at-once')
    const companies = await Promise.all([1, 2, 3].map(() => foundCompany(server, person)))
    const calls = companies.flatMap((company) =>
      [1, 2, 3].map((at) => invite(company, `at-once-${at}@${company.id}.example`, 'operator', person)),
    )
    const { unreviewed } = limits.invitations
    assert.deepEqual(await outcomesOf(calls), {
      invitation_limit_reached: calls.length - unreviewed,
      ok: unreviewed,
    })
  })
})

describe('the mail of an invitation', () => {
  test('has the name of the company in its subject between quotation marks, and no more than 60 characters of it', async () => {
    const person = await signUp(server, 'named-like-a-sentence')
    const name = `Your account is locked” - sign in at once „${'x'.repeat(77)}`
    const company = await foundCompany(server, person, { name })
    await invite(company, 'reader@customer.example', 'operator', person)
    const { header } = contentOf((await server.mailsTo('reader@customer.example', 1))[0])
    const [, shown = ''] = /^Einladung zu „([^“”„"]*)“$/.exec(header('subject')) ?? []
    assert.match(shown, /^Your account is locked' - sign in at once '/)
    assert.ok(shown.length <= 60, shown)
  })

  test('is in the language of the company, warns of one that nobody reviewed, and can be stopped', async () => {
    const company = await foundCompany(server, owner, { name: 'Walzwerk Nord' })
    const email = 'neu@kunde.example'
    const { id } = await invite(company, email)
    const [mail] = await server.mailsTo(email, 1)
    const { text, header } = contentOf(mail)
    assert.match(header('subject'), /Einladung zu „Walzwerk Nord“/)
    assert.match(text, /noch nicht geprüft/)
    assert.match(text, /Mitarbeiter im Versand/)
    await oneClick(linkOf(mail))
    await as(owner).withdrawInvitation({ params: { id: company.id, invitationId: id } })
    const { mail: second } = await invite(company, email)
    assert.deepEqual(second, { state: 'not_sent', reason: 'unsubscribed' })
  })

  test('contains the only copy of the token', async () => {
    const company = await verified()
    await invite(company, 'secret@customer.example')
    const token = await invitationToken(server, 'secret@customer.example')
    const database = [...(await dumpOf(server)).values()].join('\n')
    assert.ok(database.includes('secret@customer.example'), 'the dump reads the rows')
    assertNowhere([['token', token]], Object.entries({ database, log: server.log.join('\n') }))
  })
})
