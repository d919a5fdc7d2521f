import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { codeAt, enableMfa, type Person, password, signUp } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal, untilAvailable } from '../../../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const signIn = (person: Person, code?: string, with_ = password) =>
  server.client().login({
    body: { username: person.username, password: with_, code },
  })
const many = (count: number, call: () => Promise<unknown>) =>
  Array.from({ length: count }, () => untilAvailable(call))

type Enrolled = { readonly id: string; readonly secret: string; readonly recoveryCodes: readonly string[] }

const enrol = async (person: Person, name: string): Promise<Enrolled> => {
  const client = server.client(person.accessToken)
  const { id, secret } = await client.createTotp({ body: { name } })
  const code = codeAt(secret, server.clock.now())
  const { recoveryCodes = [] } = await client.confirmTotp({ params: { id }, body: { code } })
  return { id, secret, recoveryCodes }
}
/** The code of the next time step: accepted early, and not used yet by the confirmation. */
const freshCode = ({ secret }: Enrolled): string => codeAt(secret, server.clock.now() + 30_000)
const wrongCode = (...enrolled: Enrolled[]): string => {
  const near = enrolled.flatMap(({ secret }) =>
    [-2, -1, 0, 1, 2].map((step) => codeAt(secret, server.clock.now() + step * 30_000)),
  )
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !near.includes(code)) ?? '555555'
}

describe('signing in with an authenticator', () => {
  test('requires a code once MFA is enabled; the session that enabled it stays valid', async () => {
    const person = await signUp(server, 'careful')
    const nextCode = await enableMfa(server, person)
    await assertRefused(signIn(person), 'mfa_code_required')
    assert.equal((await signIn(person, nextCode())).userId, person.id)
    const spaced = nextCode().replace(/(\d{3})/, '$1 ')
    assert.ok(await signIn(person, spaced), 'spaced as apps show it')
    assert.ok(await server.client(person.accessToken).readMe())
  })

  test('gives the same answer for a wrong code, a wrong password and an unknown user', async () => {
    const person = await signUp(server, 'lookalike')
    const phone = await enrol(person, 'Phone')
    const answerTo = async (call: Promise<unknown>) => {
      const { status, answer } = await refusal(call)
      return { status, answer: { ...answer, timestamp: '' } }
    }
    const unknown = await answerTo(signIn({ ...person, username: 'nobody-at-all' }, '123456'))
    assert.equal(unknown.status, 401)
    assert.deepEqual(await answerTo(signIn(person, wrongCode(phone))), unknown)
    assert.deepEqual(await answerTo(signIn(person, 'AAAA-BBBB-CCCC-DDDD')), unknown)
    assert.deepEqual(await answerTo(signIn(person, freshCode(phone), 'not this one')), unknown)
    assert.deepEqual(await answerTo(signIn(person, undefined, 'not this one')), unknown)
  })

  test('accepts a code once, also from concurrent calls', async () => {
    const person = await signUp(server, 'replayed')
    const phone = await enrol(person, 'Phone')
    const code = freshCode(phone)
    const outcomes = await outcomesOf(many(20, () => signIn(person, code)))
    assert.deepEqual(outcomes, { credentials_wrong: 19, ok: 1 })
    await assertRefused(signIn(person, code), 'credentials_wrong')
    server.clock.advance({ seconds: 60 })
    assert.ok(await signIn(person, freshCode(phone)), 'a replay does not count as a wrong code')
  })

  test('rejects a code older than the last one used', async () => {
    const person = await signUp(server, 'looking-back')
    const phone = await enrol(person, 'Phone')
    const earlier = codeAt(phone.secret, server.clock.now())
    server.clock.advance({ seconds: 30 })
    assert.ok(await signIn(person, codeAt(phone.secret, server.clock.now())))
    await assertRefused(signIn(person, earlier), 'credentials_wrong')
  })

  test('neither uses up nor counts a code if the password is wrong', async () => {
    const person = await signUp(server, 'typing-badly')
    const phone = await enrol(person, 'Phone')
    const code = freshCode(phone)
    // A fifth wrong password would make the right one wait.
    const guesses = many(3, () => signIn(person, wrongCode(phone), 'not this one'))
    assert.deepEqual(await outcomesOf(guesses), { credentials_wrong: 3 })
    await assertRefused(signIn(person, code, 'not this one'), 'credentials_wrong')
    assert.ok(await signIn(person, code))
  })
})

describe('guessing codes', () => {
  test('locks for an hour after exactly five wrong codes, also with concurrent calls', async () => {
    const person = await signUp(server, 'guessed-at')
    const phone = await enrol(person, 'Phone')
    const wrong = wrongCode(phone)
    const outcomes = await outcomesOf(many(50, () => signIn(person, wrong)))
    assert.deepEqual(outcomes, { credentials_wrong: 5, mfa_locked: 45 })
    await assertRefused(signIn(person, freshCode(phone)), 'mfa_locked')
    const mails = await server.mailsTo(person.email, 3)
    assert.equal(mails.filter((mail) => mail.includes('entered wrong codes')).length, 1)

    server.clock.advance({ minutes: 59 })
    await assertRefused(signIn(person, freshCode(phone)), 'mfa_locked')
    server.clock.advance({ minutes: 1, seconds: 1 })
    assert.ok(await signIn(person, freshCode(phone)))
  })

  test('accepts a right code among concurrent wrong ones only before the fifth', async () => {
    const person = await signUp(server, 'needle')
    const phone = await enrol(person, 'Phone')
    const wrong = wrongCode(phone)
    assert.deepEqual(await outcomesOf(many(4, () => signIn(person, wrong))), { credentials_wrong: 4 })
    const calls = [...many(25, () => signIn(person, wrong)), signIn(person, freshCode(phone))]
    const { ok = 0, credentials_wrong: counted = 0, mfa_locked: locked = 0 } = await outcomesOf(calls)
    assert.equal(counted, 1)
    assert.equal(ok + locked, 25)
  })

  test('counts a wrong code against every authenticator', async () => {
    const person = await signUp(server, 'two-locks')
    const phone = await enrol(person, 'Phone')
    const tablet = await enrol(person, 'Tablet')
    const wrong = wrongCode(phone, tablet)
    assert.deepEqual(await outcomesOf(many(30, () => signIn(person, wrong))), {
      credentials_wrong: 5,
      mfa_locked: 25,
    })
    await assertRefused(signIn(person, freshCode(phone)), 'mfa_locked')
    await assertRefused(signIn(person, freshCode(tablet)), 'mfa_locked')
  })

  test('does not count a code of the second authenticator as a wrong code of the first', async () => {
    const person = await signUp(server, 'two-keys')
    const phone = await enrol(person, 'Phone')
    const tablet = await enrol(person, 'Tablet')
    for (let i = 0; i < 6; i += 1) {
      assert.ok(await signIn(person, freshCode(tablet)))
      server.clock.advance({ seconds: 30 })
    }
    const code = freshCode(phone)
    assert.ok(await signIn(person, code))
    await assertRefused(signIn(person, code), 'credentials_wrong')
  })

  test('does not lock an authenticator that is added later', async () => {
    const person = await signUp(server, 'way-around')
    const phone = await enrol(person, 'Phone')
    const wrong = wrongCode(phone)
    await outcomesOf(many(6, () => signIn(person, wrong)))
    await assertRefused(signIn(person, freshCode(phone)), 'mfa_locked')
    const tablet = await enrol(person, 'Tablet')
    assert.ok(await signIn(person, freshCode(tablet)))
  })
})

describe('a recovery code', () => {
  test('signs in once, also with concurrent calls, and its owner is notified and not locked out', async () => {
    const person = await signUp(server, 'lost-phone')
    const { recoveryCodes } = await enrol(person, 'Phone')
    const outcomes = await outcomesOf(many(20, () => signIn(person, recoveryCodes[2])))
    assert.deepEqual(outcomes, { credentials_wrong: 19, ok: 1 })
    for (let again = 0; again < 6; again += 1)
      await assertRefused(signIn(person, recoveryCodes[2]), 'credentials_wrong')
    assert.ok(await signIn(person, recoveryCodes[3]), 'repetitions of a used code are no guesses')
    const mfa = await server.client(person.accessToken).readMfa()
    assert.deepEqual(
      { enabled: mfa.enabled, recoveryCodes: mfa.recoveryCodes },
      { enabled: true, recoveryCodes: 8 },
    )
    const mails = await server.mailsTo(person.email, 4)
    assert.ok(mails.some((mail) => mail.includes('recovery code of your account was used')))
  })

  test('may be typed in small letters, with blanks and with O for 0', async () => {
    const person = await signUp(server, 'sloppy-writer')
    const {
      recoveryCodes: [code = ''],
    } = await enrol(person, 'Phone')
    assert.ok(await signIn(person, code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')))
  })

  test('is locked for an hour after five wrong codes, without locking the authenticator', async () => {
    const person = await signUp(server, 'paper-thief')
    const phone = await enrol(person, 'Phone')
    const outcomes = await outcomesOf(many(12, () => signIn(person, 'AAAA-BBBB-CCCC-DDDD')))
    assert.deepEqual(outcomes, { credentials_wrong: 5, mfa_locked: 7 })
    await assertRefused(signIn(person, phone.recoveryCodes[0]), 'mfa_locked')
    assert.ok(await signIn(person, freshCode(phone)))
    server.clock.advance({ minutes: 60, seconds: 1 })
    assert.ok(await signIn(person, phone.recoveryCodes[0]))
  })

  test('signs in while the authenticator is locked', async () => {
    const person = await signUp(server, 'locked-out')
    const phone = await enrol(person, 'Phone')
    const wrong = wrongCode(phone)
    await outcomesOf(many(6, () => signIn(person, wrong)))
    assert.ok(await signIn(person, phone.recoveryCodes[0]))
  })
})
