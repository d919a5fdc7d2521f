import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CompanyLook, LookSettings } from '@millseal/contract'
import { limits } from '@millseal/contract'
import { families } from '@millseal/families'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { everyScope, newApplication, newOwner, type Owner, tokenOf } from '../../../../test/machines.ts'
import { addressOf, startOwnServer, type TestServer } from '../../../../test/test-server.ts'

let stack: AsyncDisposableStack
let server: TestServer
let database: Awaited<ReturnType<typeof openTestDatabase>>
let mill: Owner
let machine: string
before(async () => {
  stack = new AsyncDisposableStack()
  database = stack.use(await openTestDatabase())
  server = stack.use(await startOwnServer({ databaseUrl: addressOf(database) }))
  mill = await newOwner(server, 'look-mill')
  machine = await tokenOf(server, await newApplication(server, mill, { scopes: everyScope }))
})
after(() => stack.disposeAsync())

/** A PNG and a JPEG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

type Ask = {
  readonly method?: string
  readonly path?: string
  readonly body?: object | Buffer
  readonly type?: string
  readonly token?: string
  readonly company?: string
}

const ask = (asked: Ask): Promise<Response> => {
  const { method = 'GET', path = '/look', body, token = mill.admin.accessToken } = asked
  const isBytes = Buffer.isBuffer(body)
  const type = asked.type ?? (isBytes ? 'image/png' : 'application/json')
  return fetch(`${server.url}/api/companies/${asked.company ?? mill.company.id}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
  })
}

const answer = async <T>(asked: Ask): Promise<T> => {
  const response = await ask(asked)
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as T
}

const refusedWith = async (asked: Ask, reason: RegExp, status = 400): Promise<void> => {
  const response = await ask(asked)
  const text = await response.text()
  assert.equal(response.status, status, text)
  assert.match(text, reason)
}

const render = async (certificate: object, type = 'html', token = machine): Promise<Response> => {
  const response = await fetch(`${server.url}/api/certificates/render?type=${type}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(certificate),
  })
  assert.equal(response.status, 200, await response.clone().text())
  return response
}

const settings: LookSettings = {
  accent: '#7a1f1f',
  footer: { en: 'Rolling Mill, Steelton', de: 'Walzwerk, Steelton' },
  sections: ['Inspection'],
  hidden: ['A10'],
}

describe('the look of a company', () => {
  test('is stored, read, listed and deleted, and every change is audited', async () => {
    const client = server.client(mill.admin.accessToken)
    const params = { id: mill.company.id }
    assert.deepEqual(await client.readLook({ params }), {})
    const saved = await client.updateLook({ params, body: settings })
    const { updatedAt, ...rest } = saved
    assert.deepEqual(rest, settings)
    assert.ok(updatedAt)
    assert.deepEqual(await client.readLook({ params }), saved)
    const document = new Blob([new Uint8Array(png)], { type: 'image/png' })
    const logo = await client.updateLogo({ params, document })
    assert.deepEqual(logo.logo, { type: 'image/png', bytes: png.length })
    assert.equal(logo.accent, settings.accent, 'the settings stay')
    const changed = await client.updateLook({ params, body: { useLogo: 'always' } })
    assert.equal(changed.accent, undefined, 'settings that are not repeated are gone')
    assert.deepEqual(changed.logo, logo.logo, 'the logo stays')
    const picture = await client.readLogo({ params })
    assert.equal(picture.type, 'image/png')
    assert.deepEqual(Buffer.from(await picture.arrayBuffer()), png)

    const query = { receiver: 'Bridge-Works.example' }
    await client.updateLook({ params, query, body: { accent: '#004400' } })
    assert.deepEqual(
      (await client.listLooks({ params })).map((look) => look.receiver),
      [undefined, 'bridge-works.example'],
    )
    await client.deleteLogo({ params })
    assert.equal((await client.readLook({ params })).logo, undefined)
    await refusedWith({ path: '/look/logo' }, /does not exist/, 404)
    await refusedWith({ method: 'DELETE', path: '/look/logo' }, /does not exist/, 404)
    await client.deleteLook({ params, query })
    await client.deleteLook({ params })
    assert.deepEqual(await client.listLooks({ params }), [])
    await refusedWith({ method: 'DELETE' }, /does not exist/, 404)

    const entries = await database.query
      .selectFrom('auditLog')
      .select('action')
      .where('action', 'like', 'looks.%')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ action }) => action.replace('looks.', '')),
      ['update', 'update_logo', 'update', 'update', 'delete_logo', 'delete', 'delete'],
    )
  })

  test('is refused if it could not be read, or hid what makes a certificate', async () => {
    const put = (body: object): Ask => ({ method: 'PUT', body })
    await refusedWith(put({ accent: '#ffcc00' }), /\/accent has too little contrast.*#[0-9a-f]{6}/)
    await refusedWith(put({ accent: 'red' }), /\/accent/)
    await refusedWith(put({ hidden: ['Contacts', 'A01'] }), /\/hidden\/1 must be one of Contacts/)
    await refusedWith(put({ footer: { en: 'x'.repeat(201) } }), /\/footer\/en/)
    await refusedWith(put({ footer: { en: 'a\u0007b' } }), /\/footer\/en/)
    await refusedWith(put({ footer: { english: 'x' } }), /\/footer/)
    await refusedWith(put({ useLogo: 'never' }), /\/useLogo/)
    await refusedWith(
      { ...put({}), path: '/look?receiver=nobody' },
      /receiver must be a VAT id or a mail domain/,
    )
    const logo = (body: Buffer, type = 'image/png'): Ask => ({
      method: 'PUT',
      path: '/look/logo',
      body,
      type,
    })
    await refusedWith(logo(Buffer.from('<svg/>')), /\/file is neither PNG nor JPEG/)
    await refusedWith(logo(png.subarray(0, 40)), /\/file /)
    await refusedWith(logo(png, 'image/svg+xml'), /image\/png or image\/jpeg/, 415)
    await refusedWith(logo(Buffer.alloc(limits.body.logoBytes + 1)), /too large/, 413)
    assert.deepEqual(await answer({ path: '/looks' }), [])
  })

  test('is for its admins and applications; other companies do not see it', async () => {
    const other = await newOwner(server, 'other-mill')
    const token = other.admin.accessToken
    for (const path of ['/look', '/looks', '/look/logo']) await refusedWith({ path, token }, /exist/, 404)
    await refusedWith({ method: 'PUT', body: settings, token }, /exist/, 404)
    await refusedWith({ method: 'POST', path: '/look/preview?type=html', body: {}, token }, /exist/, 404)
    await answer({ method: 'PUT', body: {}, token: machine })
    const reader = await newApplication(server, mill, { scopes: { companies: { actions: ['read_one'] } } })
    const readerToken = await tokenOf(server, reader)
    await answer({ token: readerToken })
    await refusedWith({ method: 'PUT', body: {}, token: readerToken }, /companies:update_one/, 403)
    await answer({ method: 'DELETE' })
  })
})

describe('a certificate', () => {
  test('has the look of the company, or that for its receiver', async () => {
    const certificate = sampleCertificate({ receiver: { vatId: 'DE136695976', email: 'a@bridge.example' } })
    const plain = await (await render(certificate)).text()
    await answer({ method: 'PUT', body: settings })
    await answer({ method: 'PUT', path: '/look?receiver=bridge.example', body: { accent: '#004400' } })
    const byDomain = await render(certificate)
    const page = await byDomain.text()
    assert.match(page, /--own:#004400/)
    assert.match(
      page,
      /Rolling Mill, Steelton.*Walzwerk, Steelton/,
      'what it leaves out is that of the company',
    )
    assert.match(page, /<h2>[^]*<h2>/)
    const policy = byDomain.headers.get('content-security-policy') ?? ''
    assert.ok(page.includes(/sha256-[^']+/.exec(policy)?.[0] ?? 'none'), 'the policy allows the accent')
    await answer({ method: 'PUT', path: '/look?receiver=DE%20136695976', body: { accent: '#000044' } })
    assert.match(await (await render(certificate)).text(), /--own:#000044/, 'a VAT id is more exact')
    const elsewhere = sampleCertificate({ receiver: { email: 'a@elsewhere.example' } })
    assert.match(await (await render(elsewhere)).text(), /--own:#7a1f1f/)
    for (const { receiver } of await answer<CompanyLook[]>({ path: '/looks' })) {
      const query = receiver === undefined ? '' : `?receiver=${receiver}`
      await answer({ method: 'DELETE', path: `/look${query}` })
    }
    assert.equal(await (await render(certificate)).text(), plain)
  })

  test('is previewed with a look that is not stored, marked as a test', async () => {
    const preview = (body: object, query = 'type=html') =>
      ask({ method: 'POST', path: `/look/preview?${query}`, body })
    const sample = await server.client(mill.admin.accessToken).previewLook({
      params: { id: mill.company.id },
      query: { type: 'html' },
      body: { look: settings },
    })
    const page = await sample.text()
    assert.match(page, /--own:#7a1f1f/)
    assert.match(page, /Rolling Mill, Steelton/)
    assert.match(page, /class="test" aria-hidden="true">TEST</)
    assert.match(page, /\/v\/[\w-]{22}/)
    const certificate = JSON.stringify(sampleCertificate({ number: 'PREVIEW-1' }))
    assert.match(await (await preview({ certificate })).text(), /PREVIEW-1/)
    for (const { name: family } of families) {
      assert.equal((await preview({ family, look: settings })).status, 200, family)
    }
    const pdf = await preview({ look: settings }, 'type=pdf')
    assert.equal(pdf.headers.get('content-type'), 'application/pdf')
    assert.equal(Buffer.from(await pdf.arrayBuffer()).toString('latin1', 0, 5), '%PDF-')
    const refused = (body: object, reason: RegExp, status = 400) =>
      refusedWith({ method: 'POST', path: '/look/preview?type=html', body }, reason, status)
    await refused({ look: { accent: '#ffcc00' } }, /\/look\/accent/)
    await refused({ family: 'unknown' }, /\/family must be one of en10168/)
    await refused({ certificate: '{"a' }, /JSON/)
    await refused({ certificate: '{"RefSchemaUrl":"https://example.org/x"}' }, /RefSchemaUrl/, 404)
    assert.deepEqual(await answer({ path: '/looks' }), [], 'nothing was stored')
  })
})
