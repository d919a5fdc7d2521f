import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { executeIn } from '../../../../test/execute-in.ts'
import { foundCompany, password, signUp } from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

let count = 0
const register = (username: string) => {
  count += 1
  return server.client().registerUser({ body: { username, email: `p${count}@example.com`, password } })
}
const assertNameRefused = async (username: string, why: RegExp) => {
  const { status, answer } = await refusal(register(username))
  assert.equal(status, 400, username)
  assert.match(answer?.details[0] ?? '', /^\/username /)
  assert.match(answer?.details[0] ?? '', why)
}

describe('a username', () => {
  for (const [what, username, why] of [
    ['markup', '<script>alert', /U\+003C/],
    ['an entity', 'anna&amp;', /U\+0026/],
    ['a quotation mark', 'anna"onload', /U\+0022/],
    ['a bidi override', 'anna\u202Exe', /U\+202E/],
    ['a character that cannot be seen', 'an\u200Bna', /U\+200B/],
    ['Latin and Cyrillic letters', '\u0430nna', /one script/],
    ['Latin and Greek letters', 'ann\u03b1', /one script/],
    ['wide letters', '\uff41nna', /plain letters/],
    ['too many accents', `anna${'\u0316'.repeat(5)}`, /accents/],
  ] as const)
    test(`with ${what} is refused: 400`, () => assertNameRefused(username, why))

  for (const username of [
    'operator',
    'Operator-7',
    '0perat0r',
    'oper\u00e4tor',
    '\u043e\u0440\u0435\u0433\u0430\u0442\u043e\u0433',
    'millseal-team',
  ])
    test(`is not ${username}, which looks like the operator: 400`, () =>
      assertNameRefused(username, /operator of the service/))

  test('in any one script is accepted, as in names of people', async () => {
    for (const username of [
      'J\u00fcrgen-M.',
      '\u0410\u043b\u0435\u043a\u0441\u0430\u043d\u0434\u0440',
      '\u039d\u03af\u03ba\u03bf\u03c2_7',
      '\u5c71\u7530\u592a\u90ce\u3055\u3093',
      '\u05d9\u05e8\u05d5\u05e9\u05dc\u05d9\u05dd',
      '\u0905\u092e\u093f\u0924\u093e',
      'mere-operator',
    ])
      assert.equal((await register(username)).username, username.normalize('NFC'))
  })

  test('that looks like an existing one is refused, also if two come at once: 400 or 409, one account', async () => {
    await register('caster')
    for (const lookalike of ['c\u00e4ster', '\u0441\u0430\u0455\u0442\u0435\u0433'])
      await assertNameRefused(lookalike, /looks like the name of another user/)
    await assertRefused(register('CASTER'), 'user_exists')
    const both = await Promise.allSettled([register('rolling10'), register('rollinglO')])
    assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('changes under the same rules, and one of before the rules stays as long as it does not change', async () => {
    const person = await signUp(server, 'changeable')
    const update = (username: string) =>
      server.client(person.accessToken).updateUser({ params: { id: person.id }, body: { username } })
    await register('melter')
    await assertRefused(update('me1ter'), 'validation_failed')
    await assertRefused(update('<b>bold</b>'), 'validation_failed')
    assert.equal((await update('changeab1e')).username, 'changeab1e')
    await executeIn(server, `update users set username = 'old~name' where id = '${person.id}'`)
    assert.equal((await update('old~name')).username, 'old~name')
  })
})

describe('the name of a company', () => {
  test('has no markup, no control characters and no bidi override: 400 with the field', async () => {
    const person = await signUp(server, 'founder')
    for (const name of ['<b>Mill</b>', 'Mill\u0007 AG', 'Mill \u202eGA', 'Mi\u200bll AG']) {
      const { status, answer } = await refusal(foundCompany(server, person, { name }))
      assert.equal(status, 400)
      assert.match(answer?.details[0] ?? '', /^\/name must be plain text/)
    }
    const name = 'M\u00fcller & S\u00f6hne "Stahl" GmbH'
    const company = await foundCompany(server, person, { name })
    assert.equal(company.name, name)
    const params = { id: company.id }
    const rename = server.client(person.accessToken).updateCompany({ params, body: { name: 'a<i>b</i>' } })
    await assertRefused(rename, 'validation_failed')
  })
})
