import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Check } from 'typebox/value'
import type { Operation } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { codeSamplesOf } from './code-samples.ts'
import { exampleOf } from './example.ts'

const every: readonly (readonly [name: string, operation: Operation])[] = Object.entries(operations)

const sampleOf = (operation: Operation, label: string): string =>
  codeSamplesOf(operation).find((one) => one.label === label)?.source ?? assert.fail(label)

describe('the code samples of the API reference', () => {
  test('have a body that the operation accepts', () => {
    const bodies = every.flatMap(([name, { body }]) =>
      body === undefined || body.kind === 'document' ? [] : [[name, body.schema] as const],
    )
    assert.ok(bodies.length > 50, String(bodies.length))
    for (const [name, schema] of bodies) assert.ok(Check(schema, exampleOf(schema)), name)
  })

  test('call the address, with the token and the required parameters of the operation', () => {
    for (const [name, operation] of every) {
      const curl = sampleOf(operation, 'curl')
      const address = new URL(/"\$MILLSEAL_SERVER(\S+)"/.exec(curl)?.[1] ?? '', 'http://localhost')
      assert.match(
        address.pathname,
        new RegExp(`^/api${operation.path.replaceAll(/\{\w+\}/g, '\\$[A-Z_0-9]+')}$`),
        name,
      )
      for (const wanted of operation.query?.required ?? []) assert.ok(address.searchParams.has(wanted), name)
      assert.equal(
        address.searchParams.has('mode'),
        operation.mode === 'query' || address.search.includes('mode'),
      )
      const needsToken = operation.access === 'user' || operation.access === 'bearer'
      assert.equal(curl.includes('-H "authorization: Bearer $TOKEN"'), needsToken, name)
      assert.match(sampleOf(operation, 'SDK'), new RegExp(`^const answer = await millseal\\.${name}\\(`))
    }
  })

  test('send what the operation takes', () => {
    assert.equal(
      sampleOf(operations.withdrawCertificate, 'curl'),
      `curl "$MILLSEAL_SERVER/api/certificates/$ID/withdraw" \\
  -H "authorization: Bearer $TOKEN" \\
  -H "content-type: application/json" \\
  -d '{"reason":"reason"}'`,
    )
    assert.equal(
      sampleOf(operations.notarizeCertificate, 'SDK'),
      `const answer = await millseal.notarizeCertificate({
  query: { mode: 'test', identity },
  document: new Blob([bytes], { type: 'application/json' }),
})`,
    )
    assert.match(
      sampleOf(operations.renderCertificate, 'curl'),
      /--data-binary @certificate\.json \\\n {2}-OJ$/,
    )
    assert.match(sampleOf(operations.endAllSessions, 'curl'), /^curl -X DELETE "/)
  })
})
