import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { modes } from '@millseal/contract'
import { startOwnServer, type TestServer } from '../../../../test/test-server.ts'

const listOf = async (server: TestServer): Promise<string> => {
  const response = await fetch(`${server.url}/ledger/logs.v0`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  return response.text()
}

const expected = async (server: TestServer, contact: string): Promise<string> => {
  const logs = modes.map(async (mode) => {
    const vkey = await (await fetch(`${server.url}/ledger/${mode}/vkey`)).text()
    const origin = `mill.example/ledger/${mode}`
    assert.ok(vkey.startsWith(`${origin}+`))
    return `
vkey ${vkey}origin ${origin}
qpd 345600
contact ${contact}
#url ${server.url}/ledger/${mode}
`
  })
  return `logs/v0\n${(await Promise.all(logs)).join('')}`
}

describe('the list of logs', () => {
  test('names each log as its own files do, and whom to ask', async () => {
    await using server = await startOwnServer({
      environment: { MILLSEAL_LEDGER_ORIGIN: 'mill.example', MILLSEAL_OPERATOR_NAME: 'Rolling Mill GmbH' },
    })
    assert.equal(await listOf(server), await expected(server, `Rolling Mill GmbH, ${server.url}`))
  })

  test('gives the public URL as contact if the operator has no name', async () => {
    await using server = await startOwnServer({ environment: { MILLSEAL_LEDGER_ORIGIN: 'mill.example' } })
    assert.equal(await listOf(server), await expected(server, server.url))
  })
})
