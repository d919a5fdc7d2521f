import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { installSchemathesis, lacksSchemathesis } from '../../test/schemathesis/install.ts'
import { judge } from '../../test/schemathesis/judge.ts'
import { isExplained } from '../../test/schemathesis/known.ts'
import type { Complaint } from '../../test/schemathesis/report.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'

const timeout = 1_200_000

const missing = lacksSchemathesis()

describe('schemathesis, which is not ours,', { timeout }, () => {
  test('finds no defect in any operation', { timeout, skip: missing }, async () => {
    await using folder = await makeTemporaryFolder()
    const program = await installSchemathesis(`${folder.path}/python`)
    const report = await judge({ program, folder: folder.path, seed: 822, examples: 2, isThorough: false })
    const findings = report.complaints.filter((complaint) => !isExplained(complaint))
    assert.deepEqual(findings, [])
    assert.deepEqual(report.errors, [])
    assert.deepEqual(report.refused, [])
    assert.equal(report.unjudged.length, 0, report.unjudged.join())
    // With fewer, the judge has seen little but refusals.
    assert.ok(report.accepted.size > 100, `only ${[...report.accepted].join()} ever succeeded`)
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
      operation: 'GET /certificates/hash',
    }
    assert.ok(isExplained(method), 'a certificate of that id')
    assert.ok(!isExplained({ ...method, operation: 'DELETE /companies/{id}/invitations' }))
    assert.ok(!isExplained({ ...method, status: 500 }))
    const advertised = (methods: string): Complaint => ({
      ...method,
      check: 'allow_header_conformance',
      operation: 'OPTIONS /certificates/hash',
      says: `Allow header mismatch. Undocumented methods advertised: ${methods}\n\nList exactly`,
    })
    assert.ok(isExplained(advertised('GET')))
    assert.ok(!isExplained(advertised('GET, DELETE')))
    for (const part of planted) assert.ok(!isExplained({ ...complaint, ...part }), JSON.stringify(part))
  })
})
