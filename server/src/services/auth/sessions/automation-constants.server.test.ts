import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AutomationConstants } from '@millseal/contract'
import { consoleHeaders, openBrowser, signInBy } from '../../../../test/browser.ts'
import { dumpOf } from '../../../../test/dump.ts'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'
import { foundCompany, password, signUp } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const signedIn = async (username: string) => {
  const person = await signUp(server, username)
  const browser = openBrowser()
  await signInBy(browser, server, { login: username, password })
  const call = (path: string, method = 'GET') =>
    browser.call(`${server.url}/api${path}`, { method, headers: { ...consoleHeaders, origin: server.url } })
  const constants = async () => {
    const answer = await call('/users/me/automation-constants')
    assert.equal(answer.status, 200, await answer.clone().text())
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    return (await answer.json()) as AutomationConstants
  }
  return { person, browser, call, constants }
}

describe('the automation constants', () => {
  test('contain a token for a day and the ids that calls need', async () => {
    const { person, constants } = await signedIn('automator')
    const company = await foundCompany(server, person)
    const earliest = Math.floor(server.clock.now() / 1_000) * 1_000
    const { accessToken, expiresAt, userId, companies } = await constants()
    assert.equal(userId, person.id)
    assert.deepEqual(companies, [{ companyId: company.id, name: company.name, vatId: company.vatId }])
    const issued = Date.parse(expiresAt) - 86_400_000
    assert.ok(earliest <= issued && issued <= server.clock.now(), expiresAt)
    assert.equal(
      (await server.client(accessToken).readCompany({ params: { id: company.id } })).id,
      company.id,
    )
  })

  test('keep the token valid for a day, even if the browser session ends sooner', async () => {
    const { call, constants } = await signedIn('day-long')
    const { accessToken } = await constants()
    server.clock.advance({ minutes: 23 * 60 })
    assert.equal((await call('/users/me')).status, 401)
    assert.ok(await server.client(accessToken).readMe())
    server.clock.advance({ minutes: 61 })
    await assertRefused(server.client(accessToken).readMe(), 'token_expired')
  })

  test('end the token with the session it was shown in, and keep it after signing in again', async () => {
    const { browser, call, constants } = await signedIn('mortal')
    const { accessToken } = await constants()
    server.clock.advance({ minutes: 11 })
    assert.equal((await call('/users/me/automation-constants')).status, 403)
    await signInBy(browser, server, { login: 'mortal', password, query: 'again=1' })
    assert.ok(await constants())
    assert.ok(await server.client(accessToken).readMe())
    assert.equal((await call('/auth/logout', 'POST')).status, 200)
    await assertRefused(server.client(accessToken).readMe(), 'token_invalid')
  })

  test('are shown only after a recent sign-in, and the audit log records it', async () => {
    const { person, constants } = await signedIn('recorded')
    const { accessToken } = await constants()
    const audit = (await dumpOf(server)).get('public.audit_log') ?? ''
    assert.match(audit, new RegExp(`user:${person.id},users.read_automation_constants,session:`))
    assert.ok(!audit.includes(accessToken))
    assert.ok(!server.log.join('').includes(accessToken))
    server.clock.advance({ minutes: 11 })
    await assertRefused(server.client(accessToken).readAutomationConstants(), 'step_up_required')
  })
})
