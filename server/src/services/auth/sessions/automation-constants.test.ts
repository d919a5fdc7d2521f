import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AutomationConstants } from '@millseal/contract'
import { consoleHeaders, openBrowser, signInBy } from '../../../../test/browser.ts'
import { dumpOf } from '../../../../test/dump.ts'
import { openHouse, type TestHouse } from '../../../../test/house.ts'
import { foundCompany, password, signUp } from '../../../../test/people.ts'
import { assertRefused } from '../../../../test/refusal.ts'

let house: TestHouse
before(async () => {
  house = await openHouse()
})
after(() => house[Symbol.asyncDispose]())

const signedIn = async (username: string) => {
  const person = await signUp(house, username)
  const browser = openBrowser()
  await signInBy(browser, house, { login: username, password })
  const call = (path: string, method = 'GET') =>
    browser.call(`${house.url}/api${path}`, { method, headers: { ...consoleHeaders, origin: house.url } })
  const constants = async () => {
    const answer = await call('/users/me/automation-constants')
    assert.equal(answer.status, 200, await answer.clone().text())
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    return (await answer.json()) as AutomationConstants
  }
  return { person, browser, call, constants }
}

describe('the automation constants', () => {
  test('are a token for a day, and the ids that calls need', async () => {
    const { person, constants } = await signedIn('automator')
    const company = await foundCompany(house, person)
    const { accessToken, expiresAt, userId, companies } = await constants()
    assert.equal(userId, person.id)
    assert.deepEqual(companies, [{ companyId: company.id, name: company.name, vatId: company.vatId }])
    const left = Date.parse(expiresAt) - house.clock.now()
    assert.ok(left > 86_390_000 && left <= 86_400_000, String(left))
    assert.equal((await house.client(accessToken).readCompany({ params: { id: company.id } })).id, company.id)
  })

  test('the token lives its day although the browser is signed out of sooner, and no longer', async () => {
    const { call, constants } = await signedIn('day-long')
    const { accessToken } = await constants()
    house.clock.advance({ minutes: 23 * 60 })
    assert.equal((await call('/users/me')).status, 401)
    assert.ok(await house.client(accessToken).readMe())
    house.clock.advance({ minutes: 61 })
    await assertRefused(house.client(accessToken).readMe(), 'token_expired')
  })

  test('the token dies with the session it was shown in, and survives signing in again in it', async () => {
    const { browser, call, constants } = await signedIn('mortal')
    const { accessToken } = await constants()
    house.clock.advance({ minutes: 11 })
    assert.equal((await call('/users/me/automation-constants')).status, 403)
    await signInBy(browser, house, { login: 'mortal', password, query: 'again=1' })
    assert.ok(await constants())
    assert.ok(await house.client(accessToken).readMe())
    assert.equal((await call('/auth/logout', 'POST')).status, 200)
    await assertRefused(house.client(accessToken).readMe(), 'token_invalid')
  })

  test('are shown after a recent sign-in only, to persons only, and that is on record', async () => {
    const { person, constants } = await signedIn('recorded')
    const { accessToken } = await constants()
    const audit = (await dumpOf(house)).get('public.audit_log') ?? ''
    assert.match(audit, new RegExp(`user:${person.id},users.read_automation_constants,session:`))
    assert.ok(!audit.includes(accessToken))
    assert.ok(!house.log.join('').includes(accessToken))
    house.clock.advance({ minutes: 11 })
    await assertRefused(house.client(accessToken).readAutomationConstants(), 'step_up_required')
  })
})
