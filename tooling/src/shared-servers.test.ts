import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { isInProcess } from './rings.ts'

const root = join(import.meta.dirname, '../..')

/**
 * A name, an address or a VAT id that another file may have taken, a review that minds the names of its companies, a clock
 * that is set back, and one that the server has left.
 */
const disturbing = new RegExp(
  [
    /(?:username|login|email|vatId): ['`][^'`]|vatId\??: string/,
    /@example\.com|decision: 'verified'|\.listReviewQueue/,
    /(?:seconds|minutes|hours|days): -|Date\.now\(\)|new Date\(\)/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

const sharesCarelessly = (text: string): boolean =>
  text.includes('startTestServer()') && disturbing.test(text)

describe('a test that may use the server of other files', () => {
  test('takes no name and no address that they could have taken, and shares their clock', () => {
    const files = globSync('server/src/**/*.{test,suite}.ts', { cwd: root }).filter(isInProcess)
    assert.ok(files.length > 150)
    const careless = files.filter((file) => sharesCarelessly(readFileSync(join(root, file), 'utf8')))
    assert.deepEqual(careless, [], 'startOwnServer() starts one for this file alone')
  })

  for (const taken of [
    "await client.login({ body: { username: 'melter', password } })",
    'await register({ email: `p${count}@mill.example` })',
    "await server.mailsTo('friend@example.com', 1)",
    "await foundCompany(server, owner, { vatId: 'ATU74488404' })",
    "await as(operator).reviewCompany({ params, body: { decision: 'verified' } })",
    'server.clock.advance({ days: -3 })',
    'const now = Date.now()',
  ])
    test(`is found if it has ${taken}`, () => {
      assert.ok(sharesCarelessly(`const server = await startTestServer()\n${taken}`))
      assert.ok(!sharesCarelessly(`const server = await startOwnServer()\n${taken}`))
      assert.ok(!sharesCarelessly("const server = await startTestServer()\nawait signUp(server, 'melter')"))
    })
})
