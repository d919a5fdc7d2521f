import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { installSchemathesis, lacksSchemathesis } from '../../test/schemathesis/install.ts'
import { type Judge, openJudge } from '../../test/schemathesis/judge.ts'
import { isExplained } from '../../test/schemathesis/known.ts'
import type { Complaint } from '../../test/schemathesis/report.ts'
import { startSpoilingProxy } from '../../test/schemathesis/spoiling-proxy.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'

const missing = lacksSchemathesis()

let opened: AsyncDisposableStack
/** Each test judges a server of its own: what one creates counts against the limits that another meets. */
let startJudge: () => Promise<Judge>
before(async () => {
  await using stack = new AsyncDisposableStack()
  if (missing === false) {
    const { path } = stack.use(await makeTemporaryFolder())
    const program = await installSchemathesis(`${path}/python`)
    startJudge = () => openJudge({ program, folder: path })
  }
  opened = stack.move()
})
after(() => opened.disposeAsync())

const failure = { path: '/', method: 'GET', timestamp: new Date(0).toISOString(), name: 'Error', details: [] }

describe('schemathesis, which is not ours,', () => {
  test('finds no defect in any operation', { skip: missing }, async () => {
    await using judge = await startJudge()
    const report = await judge.judge({ seed: 822, examples: 2, isThorough: false })
    const findings = report.complaints.filter((complaint) => !isExplained(complaint))
    assert.deepEqual(findings, [])
    assert.deepEqual(report.errors, [])
    assert.deepEqual(report.refused, [])
    assert.equal(report.unjudged.length, 0, report.unjudged.join())
    // With fewer, the judge has seen little but refusals.
    assert.ok(report.accepted.size > 100, `only ${[...report.accepted].join()} ever succeeded`)
  })

  test('finds a wrong content type, a refusal of valid data, and records that are lost or never end', {
    skip: missing,
  }, async () => {
    const created = new Map<string, string>()
    await using judge = await startJudge()
    await using spoiled = await startSpoilingProxy(judge.url, (asked, answer) => {
      const { status, headers, body } = answer
      const [method = '', path = '', id = ''] = asked.split(/ \/api|\/(?=[0-9a-f-]{36}$)/)
      const fail = (statusCode: number, message: string) => ({
        status: statusCode,
        headers,
        body: JSON.stringify({ ...failure, statusCode, message }),
      })
      const isHook = method === 'GET' && path === '/hooks'
      if (isHook && id === '') return { ...answer, headers: { ...headers, 'content-type': 'text/plain' } }
      if (isHook && status === 404) return { status: 200, headers, body: created.get(id) ?? body }
      if (method === 'POST' && path === '/hooks' && status === 201)
        created.set((JSON.parse(body) as { readonly id: string }).id, body)
      if (method === 'POST' && path === '/identities' && status === 201) return fail(400, 'Not today')
      return method === 'GET' && path === '/mailhooks' && status === 200 ? fail(404, 'Lost') : answer
    })
    const hooks = ['hooks.create', 'hooks.read', 'hooks.delete', 'hooks.list']
    const { complaints, refused } = await judge.judge({
      seed: 822,
      examples: 2,
      isThorough: false,
      only: [...hooks, 'mailhooks.create', 'mailhooks.read', 'identities.create'],
      through: spoiled.url,
    })
    const findings = complaints.filter((complaint) => !isExplained(complaint))
    const found = new Set(findings.map(({ check, operation }) => `${check}: ${operation}`))
    for (const planted of [
      'content_type_conformance: GET /hooks',
      'positive_data_acceptance: POST /identities',
      'use_after_free: GET /hooks/{id}',
      'ensure_resource_availability: GET /mailhooks/{id}',
    ])
      assert.ok(found.has(planted), `${planted} is not among ${[...found].join(', ')}`)
    assert.ok(refused.includes('POST /identities'))
  })

  test('is believed unless a rule of the document explains its complaint', () => {
    const complaint: Complaint = {
      check: 'positive_data_acceptance',
      operation: 'GET /companies/validate',
      status: 400,
      message: 'The VAT id is not valid: query vatId: It has to begin with the two letters of its country',
      says: '',
    }
    assert.ok(isExplained(complaint))
    const planted: readonly Partial<Complaint>[] = [
      { operation: 'GET /companies' },
      { message: 'The request is not valid: query/vatId must not have a 7' },
      { check: 'negative_data_rejection' },
      { check: 'not_a_server_error', status: 500 },
      { status: 503 },
    ]
    const method: Complaint = {
      ...complaint,
      check: 'unsupported_method',
      operation: 'GET /auth/login',
    }
    assert.ok(isExplained(method), 'a page')
    assert.ok(!isExplained({ ...method, operation: 'GET /certificates/hash' }))
    assert.ok(!isExplained({ ...method, status: 500 }))
    const advertised = (methods: string): Complaint => ({
      ...method,
      check: 'allow_header_conformance',
      operation: 'OPTIONS /auth/login',
      says: `Allow header mismatch. Undocumented methods advertised: ${methods}\n\nList exactly`,
    })
    assert.ok(isExplained(advertised('GET')))
    assert.ok(!isExplained(advertised('GET, DELETE')))
    const streamed: Complaint = {
      ...method,
      check: 'response_schema_conformance',
      operation: 'GET /events/stream',
      says: 'SSE event violates schema: Event #0: {"data": ... is not of type "string"\n\nSchema:',
    }
    assert.ok(isExplained(streamed))
    assert.ok(!isExplained({ ...streamed, operation: 'GET /events/sequence' }))
    assert.ok(!isExplained({ ...streamed, says: '{"data": ... is not of type "string"' }))
    for (const part of planted) assert.ok(!isExplained({ ...complaint, ...part }), JSON.stringify(part))
  })
})
