import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addresses, methodsOf, modes, type Operation, operations, publicOperations } from '@millseal/contract'
import { startOwnServer, type TestServer } from '../../test/test-server.ts'
import { password, signUp } from '../../test/people.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server[Symbol.asyncDispose]())

const all = Object.values<Operation>(operations)
const toRoute = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')
const pages = [
  '/',
  '/console',
  '/console/*',
  '/console/assets/*',
  '/register',
  '/register/sent',
  '/resend-confirmation',
  '/resend-confirmation/sent',
  '/confirm-email',
  '/welcome',
  '/forgot-password',
  '/forgot-password/sent',
  '/reset-password',
  '/reset-password/done',
  '/unlock-sign-in',
  '/unlock-sign-in/done',
  '/invitation',
  '/invitation/done',
  '/verify',
  '/verify/millseal-verify.js',
  '/verify/offline',
  '/verify/embed',
  '/unsubscribe/:token',
  '/samples/genuine.pdf',
  '/samples/changed.pdf',
  '/samples/withdrawn.pdf',
  '/files/:token',
  '/files/:token/json',
  '/files/:token/pdf',
  '/v/:code',
  '/metrics',
  '/openapi.json',
  '/asyncapi.json',
  '/.well-known/jwks.json',
  '/docs',
  '/docs/api',
  '/docs/api/*',
  '/docs/guide',
  '/docs/guide/:page',
  '/docs/guide/pictures/:file',
  '/favicon.svg',
  '/favicon.ico',
  '/robots.txt',
  '/auth/callback',
  '/oidc/.well-known/openid-configuration',
  '/oidc/auth',
  '/oidc/auth/:uid',
  '/oidc/interaction/:uid',
  '/oidc/interaction/:uid/code',
  '/oidc/interaction/:uid/consent',
  '/oidc/interaction/:uid/passkey',
  '/oidc/interaction/:uid/password',
  '/oidc/jwks',
  '/oidc/token',
  '/ledger/logs.v0',
  ...modes.flatMap((mode) =>
    [
      '',
      '/',
      '/*',
      '/api/v1',
      '/api/v1/assets',
      '/api/v1/blocks',
      '/api/v1/blocks/:height',
      '/api/v1/metadata',
      '/api/v1/outputs',
      '/api/v1/transactions',
      '/api/v1/transactions/:id',
      '/api/v1/validators',
      '/checkpoint',
      '/confirmed/checkpoint',
      '/confirmed/tile/*',
      '/feed',
      '/frozen/:number/checkpoint',
      '/frozen/:number/vkey',
      '/stamps/:index',
      '/tile/*',
      '/vat-ids/:vatId',
      '/vkey',
    ].map((path) => `/ledger/${mode}${path}`),
  ),
]
const someId = '0198c0de-0000-7000-8000-000000000000'
const fill = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => (name === 'email' ? 'a@example.com' : someId))
const shapesOf = (operation: Operation) => {
  const service = operation.service === 'every-service' ? 'user-service' : operation.service
  return addresses(operation).flatMap((path) =>
    [path, `/api${path}`, `/${service}${path}`, `/api/${service}${path}`, `/api${path}/`].map(fill),
  )
}
const request = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}${path.includes('?') ? '' : '?mode=test'}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    redirect: 'manual',
    body: method === 'GET' ? undefined : '{}',
  }).then(async (response) => ({ status: response.status, text: await response.text() }))

describe('every route that is not public', () => {
  const closed = all.filter(({ id }) => !publicOperations.includes(id))

  test('answers 401 without a token, at every address and method', async () => {
    assert.ok(closed.length > 80)
    for (const operation of closed) {
      for (const method of methodsOf(operation)) {
        for (const path of shapesOf(operation)) {
          const { status, text } = await request(method, path)
          assert.equal(status, 401, `${method} ${path} answered ${status}: ${text}`)
        }
      }
    }
  })

  test('answers 401 to a foreign token', async () => {
    for (const operation of closed) {
      const headers = {
        authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
        refresh: 'Bearer stolen',
      }
      const { status } = await request(operation.method, fill(`/api${operation.path}`), headers)
      assert.equal(status, 401, `${operation.id} answered ${status}`)
    }
  })

  test('is in the contract or in the list of pages above', () => {
    const declared = new Set(all.flatMap((operation) => addresses(operation).map(toRoute)))
    for (const url of server.composed.routes)
      assert.ok(declared.has(url) || pages.includes(url), `${url} is in neither`)
    assert.ok(server.composed.routes.length > 80)
  })
})

describe('the operations of the contract', () => {
  test('all have a handler: none answers 501', async () => {
    await signUp(server, 'inspector')
    const signIn = () => server.client().login({ body: { username: 'inspector', password } })
    let { accessToken } = await signIn()
    const missing: string[] = []
    for (const operation of all) {
      const ask = () =>
        request(operation.method, fill(`/api${operation.path}`), {
          authorization: `Bearer ${accessToken}`,
          refresh: 'Bearer unknown',
        })
      let answer = await ask()
      if (answer.status === 401 && !publicOperations.includes(operation.id)) {
        // An earlier call signed the inspector out.
        accessToken = (await signIn()).accessToken
        answer = await ask()
      }
      if (answer.status === 501) missing.push(operation.id)
    }
    assert.deepEqual(
      missing,
      [],
      'bind them in a *.routes.ts, and list its routes in the index.ts of the service',
    )
  })
})
