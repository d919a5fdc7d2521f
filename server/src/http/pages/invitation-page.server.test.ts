import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openBrowser } from '../../../test/browser.ts'
import { invitationLink } from '../../../test/invitations.ts'
import { foundCompany, password, signUp } from '../../../test/people.ts'
import { startOwnServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const invite = async (owner: string, email: string) => {
  const { accessToken } = await signUp(server, owner)
  const company = await foundCompany(server, { accessToken })
  const client = server.client(accessToken)
  const { id } = await client.createInvitation({
    params: { id: company.id },
    body: { email, role: 'operator' },
  })
  const withdraw = () => client.withdrawInvitation({ params: { id: company.id, invitationId: id } })
  return { company, withdraw, link: (await invitationLink(server, email)).href }
}

describe('the page of an invitation', () => {
  test('lets a person without an account join, without scripts, and keeps token and password out of the address', async () => {
    const email = 'newcomer@customer.example'
    const { company, link } = await invite('page-owner', email)
    const browser = openBrowser()
    const page = await browser.open(link)
    assert.equal(page.url.href, `${server.url}/invitation`, 'the token is not in the address')
    assert.ok(page.text.includes(`page-owner invites ${email} to ${company.name}`))
    assert.match(page.text, /has not reviewed this company/)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /script-src|unsafe/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const short = await browser.submit(page, { username: 'x', password: 'x' })
    assert.equal(short.status, 400)
    assert.equal([...short.text.matchAll(/role="alert"/g)].length, 2)
    const taken = await browser.submit(page, { username: 'page-owner', password })
    assert.equal(taken.status, 409)
    assert.match(taken.text, /role="alert">This user name already has an account/)
    const weak = await browser.submit(page, { username: 'newcomer', password: 'newcomer' })
    assert.equal(weak.status, 406)
    assert.match(weak.text, /must not be the username/)
    const done = await browser.submit(weak, { username: 'newcomer', password })
    assert.equal(done.url.pathname, '/invitation/done')
    assert.match(done.text, /You are a member now/)
    assert.deepEqual(browser.cookies, [], 'the token is gone')
    assert.ok(await server.client().login({ body: { username: 'newcomer', password } }))
    const again = await browser.open(link)
    assert.equal(again.status, 401)
    assert.match(again.text, /no longer valid/)
    assert.doesNotMatch(again.text, /<form/)
  })

  test('asks a person with a confirmed account for nothing but the answer, in the language of the person', async () => {
    const { email, username } = await signUp(server, 'member-to-be')
    const { link } = await invite('second-owner', email)
    const browser = openBrowser()
    await browser.open(`${server.url}/?language=de`)
    const page = await browser.open(link)
    assert.match(page.text, /<button>Annehmen<\/button>/)
    assert.doesNotMatch(page.text, /type="password"/)
    const forged = await browser.submit(page, {}, { origin: 'https://evil.example' })
    assert.equal(forged.status, 400)
    assert.match((await browser.submit(page, {})).text, /Sie sind jetzt Mitglied/)
    const { accessToken } = await server.client().login({ body: { username, password } })
    assert.equal((await server.client(accessToken).listCompanies()).length, 1)
  })

  test('says what to do if the invitation has expired or was withdrawn', async () => {
    const { link, withdraw } = await invite('third-owner', 'late@customer.example')
    const browser = openBrowser()
    await browser.open(link)
    await withdraw()
    for (const address of [link, `${server.url}/invitation`]) {
      const page = await browser.open(address)
      assert.equal(page.status, 401)
      assert.match(page.text, /Ask the company for a new one/)
    }
    const expiring = await invite('fourth-owner', 'too-late@customer.example')
    server.clock.advance({ minutes: 15 * 24 * 60 })
    const page = await browser.open(expiring.link)
    assert.equal(page.status, 401)
    assert.match(page.text, /Ask the company for a new one/)
  })
})
