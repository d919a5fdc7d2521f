import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '@millseal/contract'
import { Client } from 'pg'
import { dumpOf } from '../../../../test/dump.ts'
import { eventually } from '../../../../test/eventually.ts'
import { linkIn, startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { enableMfa, password, signUp, signUpOperator } from '../../../../test/people.ts'
import { assertRefused, outcomesOf, refusal } from '../../../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const fresh = 'brand new horse battery'
const as = ({ accessToken }: { accessToken: string }) => server.client(accessToken)
const signIn = (username: string, with_: string) =>
  server.client().login({ body: { username, password: with_ } })
const ask = (email: string) => server.client().requestPasswordReset({ params: { email } })
const reset = (token: string, body: { password: string } = { password: fresh }) =>
  server.client().resetPassword({ query: { token }, body })
/** Requests a mail and returns its token. Security notices to the same person may arrive before or after it. */
const mailedToken = async (email: string): Promise<string> => {
  const known = (await server.mailsTo(email, 0)).filter(isResetMail).length
  await ask(email)
  for (let count = known + 1; ; count += 1) {
    const mails = (await server.mailsTo(email, count)).filter(isResetMail)
    if (mails.length > known) return linkIn(mails.at(-1) ?? '').searchParams.get('token') ?? ''
  }
}
/** Waits until a lock of this connection blocks a statement of the server. */
const isBlocking = (holder: Client): Promise<boolean> =>
  eventually(
    async () => {
      const { rowCount } = await holder.query(
        `select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`,
      )
      return rowCount !== 0
    },
    { what: 'a statement is blocked' },
  )
const isResetMail = (mail: string): boolean => mail.includes('Subject: Set a new password')
const countJobs = async (kind: string): Promise<number> => {
  const tables = [...(await dumpOf(server))].filter(([name]) => name.startsWith('pgboss.'))
  const lines = tables.flatMap(([, rows]) => rows.split('\n'))
  return lines.filter((line) => line.includes(kind) && line.includes('userId')).length
}

describe('resetting a password', () => {
  test('sets a new password through a mailed link; the old one no longer signs in', async () => {
    const person = await signUp(server, 'forgetful')
    await ask(person.email)
    const [, mail = ''] = await server.mailsTo(person.email, 2)
    const link = linkIn(mail)
    const opened = await fetch(link, { redirect: 'manual' })
    assert.equal(opened.status, 302)
    const page = new URL(opened.headers.get('location') ?? '')
    assert.equal(page.pathname, '/reset-password')
    assert.equal(page.search + page.hash, '', 'the address of the page does not have the token')
    assert.equal(opened.headers.get('cache-control'), 'no-store')
    const token = link.searchParams.get('token') ?? ''
    const [cookie = ''] = opened.headers.getSetCookie()
    assert.match(cookie, /^millseal-password-link=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/)
    assert.ok(cookie.includes(token), 'only a cookie that scripts cannot read has it')

    const answer = await reset(token)
    assert.equal(answer.id, person.id)
    await assertRefused(signIn(person.username, password), 'credentials_wrong')
    assert.ok(await signIn(person.username, fresh))
    const [, , notice = ''] = await server.mailsTo(person.email, 3)
    assert.match(notice, /password was changed/)
    const audit = (await dumpOf(server)).get('public.audit_log') ?? ''
    assert.ok(
      audit.split('\n').some((line) => line.includes('users.reset_password') && line.includes(person.id)),
    )
  })

  test('ends all sessions and their refresh tokens', async () => {
    const person = await signUp(server, 'burgled')
    const thief = await signIn(person.username, password)
    await reset(await mailedToken(person.email))
    for (const one of [person, thief]) {
      await assertRefused(as(one).readMe(), 'token_invalid')
      const headers = { refresh: `Bearer ${one.refreshToken}` }
      await assertRefused(server.client().refreshSession({ headers }), 'token_invalid')
    }
    const owner = await signIn(person.username, fresh)
    assert.equal((await as(owner).listSessions()).length, 1)
  })

  test('rejects a concurrent sign-in with the old password', async () => {
    const person = await signUp(server, 'hurried')
    const replacing = new Client({ connectionString: server.config.databaseUrl })
    await replacing.connect()
    try {
      await replacing.query('begin')
      await replacing.query(`update users set password_hash = 'another' where id = $1`, [person.id])
      const late = refusal(signIn(person.username, password))
      await isBlocking(replacing)
      await replacing.query('commit')
      assert.equal((await late).status, 401)
    } finally {
      await replacing.end()
    }
    assert.equal((await as(person).listSessions()).length, 1)
  })

  test('works once per link, voids all other links, and lets one of several concurrent uses succeed', async () => {
    const person = await signUp(server, 'double-clicker')
    const first = await mailedToken(person.email)
    const second = await mailedToken(person.email)
    const outcomes = await outcomesOf([reset(second), reset(second), reset(second)])
    assert.deepEqual(outcomes, { link_invalid: 2, ok: 1 })
    await assertRefused(reset(first), 'link_invalid')
    const opened = await fetch(`${server.url}/api/users/reset?token=${second}`, { redirect: 'manual' })
    assert.equal(opened.status, 401)
  })

  test('lets mail scanners open the link first, for an hour', async () => {
    const person = await signUp(server, 'scanned')
    const token = await mailedToken(person.email)
    const open = () => fetch(`${server.url}/api/users/reset?token=${token}`, { redirect: 'manual' })
    assert.equal((await open()).status, 302)
    assert.equal((await open()).status, 302)
    server.clock.advance({ minutes: 61 })
    assert.equal((await open()).status, 401)
    await assertRefused(reset(token), 'link_invalid')
    assert.ok(await signIn(person.username, password))
  })

  test('rejects a wrong token with 401 and an invalid password with 400 or 406', async () => {
    const person = await signUp(server, 'careless')
    const [confirmation = ''] = await server.mailsTo(person.email, 1)
    const wrongKind = linkIn(confirmation).searchParams.get('token') ?? ''
    for (const token of [wrongKind, 'x'.repeat(43)]) {
      await assertRefused(reset(token), 'link_invalid')
      await assertRefused(server.client().openPasswordReset({ query: { token } }), 'link_invalid')
    }
    const token = await mailedToken(person.email)
    await assertRefused(reset(token, { password: 'short' }), 'validation_failed')
    await assertRefused(reset('short'), 'validation_failed')
    await assertRefused(reset(token, { password: person.email }), 'password_rejected')
    assert.ok(await reset(token), 'a failed attempt does not use up the link')
  })

  test('confirms the address the link was mailed to, and does not bypass MFA', async () => {
    const email = 'never-confirmed@example.com'
    await server.client().registerUser({ body: { username: 'unconfirmed', email, password } })
    const token = await mailedToken(email)
    assert.equal((await reset(token)).emailConfirmed, true)
    assert.ok(await signIn('unconfirmed', fresh))

    const careful = await signUp(server, 'with-authenticator')
    const nextCode = await enableMfa(server, careful)
    await reset(await mailedToken(careful.email))
    await assertRefused(signIn(careful.username, fresh), 'mfa_code_required')
    const body = { username: careful.username, password: fresh, code: nextCode() }
    assert.ok(await server.client().login({ body }))
  })

  test('fails for a deactivated account', async () => {
    const person = await signUp(server, 'suspended')
    const token = await mailedToken(person.email)
    const operator = await signUpOperator(server)
    await as(operator).updateUser({ params: { id: person.id }, body: { status: 'inactive' } })
    await assertRefused(reset(token), 'link_invalid')
  })
})

describe('requesting a mail', () => {
  test('gives the same answer after the same work for known and unknown addresses', async () => {
    const person = await signUp(server, 'addressee')
    const unknown = 'nobody-at-all@example.com'
    const calls = [
      { kind: 'user-password-reset-mail', ask: (email: string) => ask(email) },
      {
        kind: 'user-confirmation-mail',
        ask: (email: string) => server.client().resendConfirmation({ params: { email } }),
      },
    ]
    for (const { kind, ask: call } of calls) {
      const first = await countJobs(kind)
      const answer = await call(person.email)
      const between = await countJobs(kind)
      assert.deepEqual(await call(unknown), answer)
      const afterwards = await countJobs(kind)
      assert.equal(between - first, 1, kind)
      assert.equal(afterwards - between, 1, `${kind}: a job without a user`)
    }
    assert.equal((await refusal(ask('not an address'))).status, 400)
  })

  test('sends at most a few an hour to one person, from however many addresses they are requested', async () => {
    const person = await signUp(server, 'pestered')
    const other = await signUp(server, 'left-alone')
    const count = async () => (await server.mailsTo(person.email, 0)).filter(isResetMail).length
    const askOften = async (most: number) => {
      for (let sent = await count(); sent < most; sent += 1) {
        await ask(person.email)
        await eventually(async () => (await count()) > sent)
      }
    }
    await askOften(limits.linkMailsPerHour)
    await ask(person.email)
    assert.ok(await mailedToken(other.email), 'the mails after it are sent')
    assert.equal(await count(), limits.linkMailsPerHour)
    server.clock.advance({ minutes: 61 })
    await askOften(limits.linkMailsPerHour + 1)
  })

  test('takes the same time for known and unknown addresses, and so does signing in', async () => {
    const person = await signUp(server, 'timed-person')
    const tries = [
      (email: string) => ask(email),
      (email: string) => assertRefused(signIn(email, 'not the password'), 'credentials_wrong'),
    ]
    for (const attempt of tries) {
      const known: number[] = []
      const unknown: number[] = []
      for (let round = 0; round < 25; round += 1) {
        known.push(await timeOf(() => attempt(person.email)))
        unknown.push(await timeOf(() => attempt(`nobody-${round}@example.com`)))
        // Longer than failed sign-ins are counted.
        server.clock.advance({ minutes: 121 })
      }
      const ratio = median(known) / median(unknown)
      assert.ok(ratio > 0.5 && ratio < 2, `known addresses take ${ratio.toFixed(2)} times as long`)
    }
  })
})

const timeOf = async (call: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now()
  await call()
  return performance.now() - startedMs
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
