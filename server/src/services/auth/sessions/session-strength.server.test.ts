import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import {
  codeAt,
  enableMfa,
  foundCompany,
  password,
  type Person,
  signUp,
  signUpOperator,
  verifyCompany,
} from '../../../../test/people.ts'
import { assertRefused, refusal } from '../../../../test/refusal.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import type { Database } from '../../../ports/database/database.ts'

let database: Database
let server: TestServer
let operator: Person
before(async () => {
  database = await openTestDatabase()
  server = await startOwnServer({
    databaseUrl: addressOf(database),
    environment: { MILLSEAL_OPERATOR_MFA: 'on' },
  })
  operator = await signUpOperator(server)
  await enableMfa(server, operator)
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

type Tokens = Pick<Person, 'accessToken' | 'refreshToken'>

const as = (tokens: Pick<Tokens, 'accessToken'>) => server.client(tokens.accessToken)
const signIn = ({ username }: Pick<Person, 'username'>, code?: string): Promise<Tokens> =>
  server.client().login({ body: { username, password, code } })
const refresh = ({ refreshToken }: Tokens) =>
  server.client().refreshSession({ headers: { refresh: `Bearer ${refreshToken}` } })
const liveWallet = (tokens: Pick<Tokens, 'accessToken'>, company: string) =>
  as(tokens).createWallet({ company, query: { mode: 'live' }, body: {} })
const status = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 201,
    async () => (await refusal(call)).status,
  )

const weaken = ({ accessToken }: Pick<Tokens, 'accessToken'>) =>
  as({ accessToken })
    .listSessions()
    .then((sessions) => {
      const current = sessions.find((one) => one.current) ?? assert.fail('no session')
      return database.query
        .updateTable('sessions')
        .set({ amr: ['pwd'], factorAt: null })
        .where('id', '=', current.id)
        .execute()
    })
const strengthOf = async (tokens: Pick<Tokens, 'accessToken'>) => {
  const current = (await as(tokens).listSessions()).find((one) => one.current)
  return { amr: current?.amr, acr: current?.acr, hasFactorAt: current?.factorAt !== undefined }
}
/** With a verified company. */
const newMember = async (username: string) => {
  const person = await signUp(server, username)
  const { id } = await foundCompany(server, person)
  await verifyCompany(server, operator, id)
  return { person, companyId: id }
}
const enrol = async (person: Pick<Person, 'accessToken'>, name = 'Phone') => {
  const { id, secret } = await as(person).createTotp({ body: { name } })
  await as(person).confirmTotp({
    params: { id },
    body: { code: codeAt(secret, server.clock.now()) },
  })
  return {
    id,
    nextCode: () => {
      server.clock.advance({ seconds: 30 })
      return codeAt(secret, server.clock.now())
    },
  }
}

describe('a session opened without a code', () => {
  test('makes no live wallet and does not refresh after MFA was enabled in another session', async () => {
    const { person, companyId } = await newMember('left-open')
    const weak = await signIn(person)
    assert.equal(await status(liveWallet(weak, companyId)), 403)
    await enableMfa(server, person)
    assert.equal(await status(liveWallet(weak, companyId)), 401)
    assert.equal(await status(refresh(weak)), 401)
    assert.equal(await status(liveWallet(person, companyId)), 201, 'the session that entered the code may')
  })

  test('reviews no company, even if the account has MFA', async () => {
    const reviewer = await signUpOperator(server)
    const founder = await signUp(server, 'reviewed')
    const { id } = await foundCompany(server, founder)
    const review = () => verifyCompany(server, reviewer, id)
    await assertRefused(review(), 'mfa_required')
    await enableMfa(server, reviewer)
    assert.equal(await status(review()), 201)
    await weaken(reviewer)
    await assertRefused(review(), 'mfa_required')
  })

  test('is refused by the gates even if it is still open', async () => {
    const { person, companyId } = await newMember('still-open')
    const nextCode = await enableMfa(server, person)
    const open = await signIn(person, nextCode())
    assert.equal(await status(liveWallet(open, companyId)), 201)
    await weaken(open)
    const refused = await refusal(liveWallet(open, companyId))
    assert.equal(refused.status, 403)
    assert.match(refused.answer?.message ?? '', /sign in again/)
    const refreshed = await refresh(open)
    assert.equal(await status(liveWallet(refreshed, companyId)), 403, 'refreshing proves nothing')
    const trial = await as(open)
      .readAutomationConstants()
      .catch((error: unknown) => error)
    assert.ok(trial instanceof Error, 'and no secret is shown: the factor is not recent')
    assert.equal(await status(as(refreshed).createTotp({ body: { name: 'Mine' } })), 403)
  })
})

describe('a session', () => {
  test('says how it was opened, and when a factor was last used', async () => {
    const person = await signUp(server, 'self-aware')
    assert.deepEqual(await strengthOf(person), { amr: ['pwd'], acr: '1fa', hasFactorAt: false })
    const { nextCode } = await enrol(person)
    const both = { amr: ['pwd', 'otp', 'mfa'], acr: '2fa', hasFactorAt: true }
    assert.deepEqual(await strengthOf(person), both, 'the code that confirms the authenticator counts')
    const second = await signIn(person, nextCode())
    assert.deepEqual(await strengthOf(second), both)
    assert.deepEqual(await strengthOf(await refresh(second)), both)
  })

  test('ends when another one adds, replaces or removes a factor', async () => {
    const person = await signUp(server, 'tidy-keeper')
    const { id, nextCode } = await enrol(person)
    const params = { id }
    for (const change of [
      async () => (await enrol(person, 'Tablet')).id,
      () => as(person).regenerateRecoveryCodes(),
      () => as(person).deleteTotp({ params, body: { code: nextCode() } }),
    ]) {
      const other = await signIn(person, nextCode())
      await change()
      assert.equal(await status(as(other).readMe()), 401)
      assert.equal(await status(refresh(other)), 401)
      assert.equal(await status(as(person).readMe()), 201)
    }
  })

  test('that removes the last factor loses live mode at once', async () => {
    const { person, companyId } = await newMember('going-back')
    const { id, nextCode } = await enrol(person)
    await as(person).deleteTotp({ params: { id }, body: { code: nextCode() } })
    assert.deepEqual(await strengthOf(person), { amr: ['pwd', 'otp'], acr: '1fa', hasFactorAt: false })
    await assertRefused(liveWallet(person, companyId), 'mfa_required')
  })
})

describe('removing an authenticator', () => {
  test('requires a code of this authenticator, or a recovery code', async () => {
    const person = await signUp(server, 'asked-again')
    const phone = await enrol(person, 'Phone')
    const tablet = await enrol(person, 'Tablet')
    const remove = (id: string, code?: string) =>
      as(person).deleteTotp({ params: { id }, body: code === undefined ? undefined : { code } })
    await assertRefused(remove(phone.id), 'step_up_required')
    await assertRefused(remove(phone.id, tablet.nextCode()), 'mfa_code_wrong')
    const code = phone.nextCode()
    await remove(phone.id, code)
    const { recoveryCodes } = await as(person).regenerateRecoveryCodes()
    await remove(tablet.id, recoveryCodes[0])
    assert.equal((await as(person).readMfa()).enabled, false)
  })

  test('counts wrong codes', async () => {
    const person = await signUp(server, 'guesser')
    const { id, nextCode } = await enrol(person)
    const wrong = nextCode() === '000000' ? '111111' : '000000'
    const remove = (code: string) => as(person).deleteTotp({ params: { id }, body: { code } })
    for (let guess = 0; guess < 5; guess += 1) await assertRefused(remove(wrong), 'mfa_code_wrong')
    await assertRefused(remove(nextCode()), 'mfa_locked')
  })
})
