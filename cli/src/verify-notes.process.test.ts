import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { at, bundleOf, openLog, verifying } from '../test/certified.ts'
import { millseal } from '../test/millseal.ts'

test('millseal verify says what the server adds to the proof, and nothing of it offline', async () => {
  await using place = await verifying()
  const opened = openLog('live')
  const bundle = await bundleOf(opened)
  await using server = createServer(({ url = '' }, response) => {
    if (url.endsWith('/vkey')) response.end(opened.log.vkey)
    else
      response
        .setHeader('content-type', 'application/json')
        .setHeader('x-notes', 'not_checked_here, of_a_newer_server')
        .end(JSON.stringify(bundle))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const args = ['verify', place.path('c.json'), '--server', `http://127.0.0.1:${port}`, '--now', at(55)]
  const words = /\n {2}Not checked by Millseal: .*\.\n/
  assert.match((await millseal(args)).stdout, words)
  const report = JSON.parse((await millseal([...args, '--json'])).stdout) as { notes?: string[] }
  assert.deepEqual(report.notes, ['not_checked_here', 'of_a_newer_server'])
  const offline = await place.verify({ bundle, policy: { logs: [opened.log.vkey] } })
  assert.doesNotMatch(offline.text, /Not checked/)
})
