import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeVatRegistry, suiteCompany } from '../../ports/vat-registry/vat-registry.suite.ts'
import { createOfflineVatRegistry } from './offline.ts'

describeVatRegistry('offline', { answers: false }, async () => ({
  registry: createOfflineVatRegistry(),
  async [Symbol.asyncDispose]() {},
}))

test('an installation without Internet access gives the reason for unknown', async () => {
  const answer = await createOfflineVatRegistry().lookUp(suiteCompany, new AbortController().signal)
  assert.deepEqual(answer, { status: 'unknown', reason: 'offline', retryAfterSeconds: 86_400 })
})
