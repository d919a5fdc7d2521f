import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { claimed } from '../../../../test/attacks/by-claim.ts'
import { forms, others } from '../../../../test/attacks/by-form.ts'
import { algorithms, headers, keys } from '../../../../test/attacks/by-header.ts'
import { type OpenTarget, openTarget } from '../../../../test/attacks/open-target.ts'
import type { Target } from '../../../../test/attacks/target.ts'

let opened: OpenTarget
let target: Target
before(async () => {
  opened = await openTarget()
  target = opened.target
})
after(() => opened[Symbol.asyncDispose]())

const read = async (authorization: string) => {
  const { server, owner } = target
  const response = await fetch(`${server.url}/api/companies/${owner.company.id}`, {
    headers: { authorization },
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, body }
}
const sevenFields = ['statusCode', 'path', 'method', 'timestamp', 'message', 'name', 'details']

const tables = { algorithms, keys, headers, claims: claimed, form: forms, origin: others }
for (const [name, attacks] of Object.entries(tables)) {
  describe(`the server rejects forged tokens: ${name}`, () => {
    for (const [what, forged] of attacks) {
      test(`${what}: 401`, async () => {
        const { status, body } = await read(`Bearer ${await forged(target)}`)
        assert.equal(status, 401, JSON.stringify(body))
        assert.equal(body['statusCode'], 401)
        const { reasons: _reasons, ...seven } = body
        assert.deepEqual(Object.keys(seven), sevenFields)
      })
    }
  })
}

describe('the server accepts', () => {
  test('the tokens it issued, and the same token signed again with the same key', async () => {
    assert.ok(Object.values(tables).flat().length >= 100)
    const { valid, owner, forge, header, claims } = target
    assert.equal(forge.signed(header, claims), valid)
    for (const token of [valid, opened.longLived, owner.admin.accessToken])
      assert.equal((await read(`Bearer ${token}`)).status, 200)
    assert.equal((await read(`bearer   ${valid} `)).status, 200)
  })

  test('no token under another scheme, and it fetches no key from anywhere', async () => {
    for (const scheme of ['', 'Basic ', 'DPoP ', 'Bearer: ', 'Token '])
      assert.equal((await read(`${scheme}${target.valid}`)).status, 401, scheme)
    assert.deepEqual(opened.baited, [])
  })

  test('no header that is too long: 431', async () => {
    const { status, body } = await read(`Bearer ${'x'.repeat(100_000)}`)
    assert.equal(status, 431)
    assert.deepEqual(Object.keys(body), sevenFields)
  })
})
