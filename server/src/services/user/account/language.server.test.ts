import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { invitationToken } from '../../../../test/invitations.ts'
import { foundCompany, password, type Person, signUp } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { readMessage } from '../../../lib/read-message.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const as = ({ accessToken }: Pick<Person, 'accessToken'>) => server.client(accessToken)
const register = (username: string, language: string) =>
  server.client().registerUser({
    body: { username, email: `${username}@example.com`, password },
    headers: { 'accept-language': language },
  })

describe('the language of a person', () => {
  test('is that of the browser at the registration, for the first mail on', async () => {
    assert.equal((await register('german', 'de-DE,de;q=0.9,en;q=0.8')).language, 'de')
    assert.match((await server.mailsTo('german@example.com', 1))[0] ?? '', /Guten Tag!\r?\n\r?\nBitte/)
    assert.equal((await register('english', 'en-GB')).language, 'en')
    assert.match((await server.mailsTo('english@example.com', 1))[0] ?? '', /Hello,/)
    assert.equal((await register('french', 'fr')).language, undefined)
    assert.match((await server.mailsTo('french@example.com', 1))[0] ?? '', /Hello,/)
  })

  test('can be changed, and goes before that of the company', async () => {
    const person = await signUp(server, 'changing')
    await foundCompany(server, person)
    const reset = async (mails: number) => {
      await server.client().requestPasswordReset({ params: { email: person.email } })
      return (await server.mailsTo(person.email, mails, /reset-password\?/)).at(-1) ?? ''
    }
    assert.match(await reset(1), /Guten Tag changing!\r?\n/)
    const params = { id: person.id }
    const changed = await as(person).updateUser({ params, body: { language: 'en' } })
    assert.equal(changed.language, 'en')
    assert.equal((await as(person).readMe()).language, 'en')
    assert.match(await reset(2), /Hello changing/)
    const body = JSON.parse('{"language":"fr"}') as { language: 'en' }
    await assertRefused(as(person).updateUser({ params, body }), 'validation_failed')
  })

  test('is used for invitations, and taken from the browser of a person who accepts one', async () => {
    const owner = await signUp(server, 'inviting')
    const company = await foundCompany(server, owner)
    const invite = (email: string) =>
      as(owner).createInvitation({ params: { id: company.id }, body: { email, role: 'operator' } })
    await invite('english@example.com')
    const [english = ''] = await server.mailsTo('english@example.com', 1, /invitation\?/)
    assert.match(readMessage(Buffer.from(english)).header('subject'), /^Invitation to “/)
    await invite('new@example.com')
    const member = await server.client().acceptInvitation({
      query: { token: await invitationToken(server, 'new@example.com') },
      body: { username: 'newperson', password },
      headers: { 'accept-language': 'en' },
    })
    const session = await server.client().login({ body: { username: 'newperson', password } })
    assert.equal((await as(session).readUser({ params: { id: member.user.id } })).language, 'en')
  })
})
