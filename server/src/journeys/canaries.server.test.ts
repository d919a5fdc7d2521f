import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WalletWithKey } from '@millseal/contract'
import { assertNowhere } from '../../test/canaries.ts'
import { dumpOf } from '../../test/dump.ts'
import { linkIn, startOwnServer, type TestServer } from '../../test/test-server.ts'
import { codeAt, foundCompany, password, signUp, signUpOperator, verifyCompany } from '../../test/people.ts'

/** Uses every kind of secret and returns all of them. */
const liveThrough = async (server: TestServer): Promise<Record<string, string>> => {
  const person = await signUp(server, 'canary')
  const nobody = server.client()
  const client = server.client(person.accessToken)
  const [confirmation = ''] = await server.mailsTo(person.email, 1)
  const company = await foundCompany(server, person)
  await verifyCompany(server, await signUpOperator(server), company.id)
  const { id, secret, otpauthUri } = await client.createTotp({
    body: { name: 'Phone' },
    idempotencyKey: 'canary-totp-key-01',
  })
  const code = codeAt(secret, server.clock.now())
  const { recoveryCodes: [recoveryCode = ''] = [] } = await client.confirmTotp({
    params: { id },
    body: { code },
  })
  const header = { company: company.id }
  const application = await client.createApplication({
    ...header,
    body: { name: 'Plant', mode: 'live', scopes: { companies: { actions: ['read_one'] } } },
    idempotencyKey: 'canary-application-key-01',
  })
  const { clientId, clientSecret } = application
  const machine = await nobody.createToken({ body: { clientId, clientSecret } })
  const rotated = await client.rotateApplicationSecret({
    ...header,
    params: { id: application.id },
    body: {},
  })
  const longLived = await client.createAccessToken({
    ...header,
    query: { mode: 'test' },
    body: { scopes: {} },
  })
  await nobody.requestPasswordReset({ params: { email: person.email } })
  const [resetMail = ''] = await server.mailsTo(person.email, 1, /\/reset-password\?/)
  const refreshed = await nobody.refreshSession({ headers: { refresh: `Bearer ${person.refreshToken}` } })
  const wallets = await liveWithKeys(server, { ...header, accessToken: person.accessToken })
  const wrong = { username: 'canary', password: 'a wrong canary password' }
  await assert.rejects(nobody.login({ body: wrong }))
  return {
    ...wallets,
    password,
    'wrong password': wrong.password,
    'access token': person.accessToken,
    'refresh token': person.refreshToken,
    'second access token': refreshed.accessToken,
    'second refresh token': refreshed.refreshToken ?? assert.fail('the refresh token is not rotated'),
    'TOTP secret': secret,
    'TOTP uri': otpauthUri,
    'recovery code': recoveryCode,
    'recovery code, ungrouped': recoveryCode.replaceAll('-', ''),
    'client secret': clientSecret,
    'rotated client secret': rotated.clientSecret,
    'machine token': machine.accessToken,
    'long-lived token': longLived.jwt,
    'confirmation link': tokenIn(confirmation),
    'reset link': tokenIn(resetMail),
  }
}

/** Creates, shows, wipes and recovers a root, with the calls that show the most. */
const liveWithKeys = async (
  server: TestServer,
  { company, accessToken }: { readonly company: string; readonly accessToken: string },
): Promise<Record<string, string>> => {
  const walletPassword = 'the passphrase of the canary'
  const options = { language: 'english', password: walletPassword }
  const call = async (method: string, path: string, body?: object): Promise<WalletWithKey> => {
    const headers = { authorization: `Bearer ${accessToken}`, company, 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/api/wallet${path}?mode=test`, {
      method,
      headers: { ...headers, 'idempotency-key': 'canary-wallet-key-01' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return (await response.json()) as WalletWithKey
  }
  const { mnemonic, wallet, masterKey } = await call('POST', '', { name: 'Canary', options })
  await call('POST', '', { name: 'Canary', options })
  await call('PATCH', `/${wallet.id}/backup`, {})
  await call('PATCH', `/${wallet.id}/address`, { coinType: 822, account: 0, index: 0 })
  await call('DELETE', `/${wallet.id}`)
  await call('PATCH', `/${wallet.id}/recover`, { mnemonic, ...options })
  const words = mnemonic.split(' ')
  return {
    mnemonic,
    'first half of the mnemonic': words.slice(0, 12).join(' '),
    'second half of the mnemonic': words.slice(12).join(' '),
    seed: masterKey.seedHex ?? assert.fail('/wallet shows the seed'),
    'wallet password': walletPassword,
  }
}

const tokenIn = (mail: string): string => {
  const link = linkIn(mail)
  return (
    link.searchParams.get('token') ??
    new URLSearchParams(link.hash.slice(1)).get('token') ??
    assert.fail(link.href)
  )
}

describe('no secret is stored in clear', () => {
  test('in the database, the job queue, the log, answers stored for a replay, the audit log or the outbox', async () => {
    await using server = await startOwnServer()
    const secrets = await liveThrough(server)
    const dump = await dumpOf(server)
    assert.ok(dump.size > 20)
    const places = { database: [...dump.values()].join('\n'), log: server.log.join('\n') }
    assert.ok(places.database.includes('canary@example.com'), 'the dump reads the rows')
    assert.ok(places.log.includes('tokens.create'), 'the log is read')
    assertNowhere(Object.entries(secrets), Object.entries(places))
  })
})
