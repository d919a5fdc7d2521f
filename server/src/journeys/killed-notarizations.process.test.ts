import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import type { Client } from 'pg'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually, onceItWorks } from '../../test/eventually.ts'
import { mailsAbout } from '../../test/mails-about.ts'
import { startServer } from '../../test/server-process.ts'
import { connected, openInstallation, rows } from './killed.suite.ts'

/** 1,000 are notarized with MILLSEAL_TEST_NOTARIZATIONS=1000. */
const count = Number(process.env['MILLSEAL_TEST_NOTARIZATIONS'] ?? 60)
const kills = Math.max(4, Math.round(count / 40))

describe('notarizations and kill -9', () => {
  test(`of ${count} accepted ones each ends in one entry, one event and its mails, although the server is killed ${kills} times`, async () => {
    await using installed = await openInstallation()
    const { environment, url, folder, token, company, identity } = installed
    let server = await startServer(environment)
    const accepted = new Map<string, string>()
    const send = async (number: string): Promise<void> => {
      const certificate = JSON.stringify(sampleCertificate({ number }))
      const answer = await eventually(() => post(url, { token, company, identity, certificate }), {
        what: `the answer to ${number}`,
        everyMs: 100,
      })
      accepted.set(number, answer)
    }
    const numbers = Array.from({ length: count }, (_, index) => `KILL-${index}`)
    const sending = inLanes(8, numbers, send)
    try {
      for (let kill = 1; kill <= kills; kill += 1) {
        await eventually(() => accepted.size >= (count * kill) / (kills + 1))
        server.child.kill('SIGKILL')
        await once(server.child, 'exit')
        // As a service manager does: a busy machine may give it no connection to the database in time.
        server = await onceItWorks(() => startServer(environment))
      }
      await sending
      await using client = await connected(environment.DATABASE_URL)
      const open = async () => rows(client, "select id from certificates where state <> 'notarized'")
      await eventually(async () => (await open()).length === 0, { everyMs: 100 })
      await assertOnce(client, count)
      await eventually(async () => (await mailsAbout([folder], /(KILL-\d+)/)).size >= count * 2, {
        everyMs: 100,
      })
    } finally {
      await server[Symbol.asyncDispose]()
    }
  })
})

type Posted = { token: string; company: string; identity: string; certificate: string }

/** The hash of the accepted certificate; undefined while the server is down. */
const post = async (
  url: string,
  { token, company, identity, certificate }: Posted,
): Promise<string | undefined> => {
  const response = await fetch(`${url}/api/certificates/notarize?mode=test&identity=${identity}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, company, 'content-type': 'application/json' },
    body: certificate,
  }).catch(() => undefined)
  if (response === undefined || response.status >= 500) return undefined
  const text = await response.text().catch(() => '')
  if (text === '') return undefined
  assert.equal(response.status, 201, text)
  return (JSON.parse(text) as { hash: { value: string } }).hash.value
}

const assertOnce = async (client: Client, expected: number): Promise<void> => {
  const certificates = await rows(client, 'select hash, transaction_id from certificates')
  assert.equal(certificates.length, expected)
  assert.equal(new Set(certificates.map(({ transaction_id: id }) => id)).size, expected)
  const told = await rows(client, "select payload from outbox where action = 'notarize_one'")
  assert.equal(told.length, expected)
  const recorded = await rows(
    client,
    "select 1 from ledger_entries where mode = 'test' and json_hash is not null",
  )
  assert.equal(recorded.length, expected)
}

const inLanes = async (lanes: number, items: readonly string[], work: (item: string) => Promise<void>) => {
  const waiting = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
}
