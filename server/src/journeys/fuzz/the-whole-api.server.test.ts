import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { type Operation, operations } from '@millseal/contract'
import { type Side, settle } from '../../../test/belongings.ts'
import { sampleCertificate } from '../../../test/certificates.ts'
import { startOwnServer, type TestServer } from '../../../test/test-server.ts'
import { signUpOperator } from '../../../test/people.ts'
import type { Actor } from './ask.ts'
import { fuzz, type Target } from './fuzz.ts'
import { type Api, readApi, type Schema } from './read-api.ts'

const seed = Number(process.env['MILLSEAL_TEST_FUZZ_SEED'] ?? 822)
const runs = Number(process.env['MILLSEAL_TEST_FUZZ_RUNS'] ?? 2_000)

let server: TestServer
let document: Schema
before(async () => {
  document = JSON.parse(
    await readFile(new URL('../../../../contract/openapi.json', import.meta.url), 'utf8'),
  ) as Schema
  server = await startOwnServer({ environment: { MILLSEAL_RATE_LIMIT: '1000000' } })
})
after(() => server[Symbol.asyncDispose]())

/** Operations of operators change what other callers see, so they run separately and last. */
const isOfOperators = (id: string): boolean =>
  Object.values<Operation>(operations).some((operation) => operation.id === id && operation.admin === true)

const apiWith = (keep: (id: string) => boolean): Api => {
  const api = readApi(document)
  const kept = api.operations.filter(({ id }) => keep(id))
  return { ...api, operations: kept }
}

let settled = 0
const settleOne = (): Promise<Side> => {
  // Start a new minute for the rate limits.
  server.clock.advance({ seconds: 61 })
  settled += 1
  return settle(server, `fuzzed-${settled}`)
}

const actorsOf = ({ person, company, machines }: Side): Actor[] =>
  [person.accessToken, ...machines].map((token, index) => ({
    name: index === 0 ? 'a person' : `machine ${index}`,
    token,
    company: company.id,
  }))

const isAlive = async ({ person, company, machines }: Side): Promise<boolean> => {
  const about = { params: { id: company.id } }
  const asked = [person.accessToken, ...machines].map((token) => server.client(token).readCompany(about))
  return (await Promise.allSettled(asked)).every(({ status }) => status === 'fulfilled')
}

const newTarget = (api: Api): Target => {
  let us: Side | undefined
  let them: Side | undefined
  return {
    url: server.url,
    api,
    // A wiped wallet is not deleted, because it signed before. A company without a look has the empty one. A requirement out
    // of use can be read, because decisions name it.
    kept: ['wallets.read', 'looks.read', 'requirements.read', 'orders.read'],
    documents: { CertificateJsonDto: () => sampleCertificate() },
    cast: async () => {
      server.clock.advance({ seconds: 6 })
      us = us !== undefined && (await isAlive(us)) ? us : await settleOne()
      them = them !== undefined && (await isAlive(them)) ? them : await settleOne()
      const stranger = actorsOf(them)[0] ?? assert.fail('nobody')
      const ids = Object.fromEntries(Object.entries(us.ids).map(([noun, id]) => [noun, [id]]))
      return { actors: actorsOf(us), ids, stranger }
    },
  }
}

const assertClean = (findings: readonly string[]) =>
  assert.equal(findings.length, 0, `${findings.length} findings with seed ${seed}:\n${findings.join('\n')}`)

describe('the API answers every request as documented', () => {
  test('every operation, called by people and machines: no 5xx, no undocumented answer, no access without a token', async () => {
    const api = apiWith((id) => !isOfOperators(id))
    const rounds = Math.ceil(runs / (api.operations.length * 2))
    const { requests, findings, accepted } = await fuzz(newTarget(api), { seed, rounds })
    assertClean(findings)
    assert.ok(requests >= runs, `${requests} of ${runs} requests`)
    // The operations that succeed change with every new operation. If all requests were refused, there would be far fewer.
    assert.ok(accepted.size > api.operations.length / 4, `only ${[...accepted].join()} ever succeeded`)
  })

  test('operations for operators of the service', async () => {
    const api = apiWith(isOfOperators)
    server.clock.advance({ seconds: 61 })
    const { accessToken: token } = await signUpOperator(server)
    const us = newTarget(api)
    const target: Target = {
      ...us,
      cast: async () => {
        const cast = await us.cast()
        const company = cast.actors[0]?.company ?? ''
        return { ...cast, actors: [{ name: 'an operator', token, company }] }
      },
    }
    const { findings, accepted } = await fuzz(target, { seed, rounds: 12 })
    assertClean(findings)
    assert.ok(accepted.size > 0)
  })
})
