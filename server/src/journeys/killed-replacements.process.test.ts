import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Client } from 'pg'
import type { Certificate } from '@millseal/contract'
import { createClient } from '@millseal/sdk'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually, onceItWorks } from '../../test/eventually.ts'
import { mailsAbout } from '../../test/mails-about.ts'
import { startServer } from '../../test/server-process.ts'
import { endedNotarization } from '../../test/signers.ts'
import { connected, openInstallation, rows } from './killed.suite.ts'

type Write = { readonly what: string; readonly on: string; readonly when: string }

/** Everything that replacing by a new certificate writes, in this order. */
const accepting = {
  what: 'the certificate and what it replaces',
  on: 'insert on certificate_corrections',
  when: 'true',
}
const writes: readonly Write[] = [
  { what: 'the PDF', on: 'update on certificates', when: 'old.pdf is null and new.pdf is not null' },
  { what: 'the new entry', on: 'insert on ledger_entries', when: 'new.json_hash is not null' },
  { what: 'the entry that replaces', on: 'insert on ledger_entries', when: 'new.json_hash is null' },
  { what: 'the end', on: 'update on certificates', when: "new.state = 'notarized'" },
  {
    what: 'that it is replaced',
    on: 'update on certificate_corrections',
    when: 'new.transaction_id is not null',
  },
  { what: 'the event', on: 'insert on outbox', when: "new.action = 'replace_one'" },
]

const key = 4_711

/** Every such write waits until the result is disposed of. */
const holdUp = async (client: Client, { on, when }: Write) => {
  await client.query(`select pg_advisory_lock(${key})`)
  await client.query(`create or replace function wait_here() returns trigger language plpgsql
    as $$ begin perform pg_advisory_xact_lock(${key}); return new; end $$`)
  await client.query(
    `create trigger wait_here before ${on} for each row when (${when}) execute function wait_here()`,
  )
  const held = async () =>
    rows(client, `select pid from pg_locks where locktype = 'advisory' and objid = ${key} and not granted`)
  return {
    reached: () => eventually(async () => (await held()).length > 0, { what: `a ${on} where ${when}` }),
    async [Symbol.asyncDispose]() {
      // Otherwise a write of the server that was killed could still succeed.
      for (const { pid } of await held()) await client.query('select pg_terminate_backend($1)', [pid])
      await eventually(async () => (await held()).length === 0)
      await client.query(`drop trigger wait_here on ${on.split(' ').at(-1)}`)
      await client.query(`select pg_advisory_unlock(${key})`)
    },
  }
}

test('a replacement is whole whichever of its writes the server is killed in, and a withdrawal too', async () => {
  await using installed = await openInstallation()
  const { environment, url, folder, token, company, identity, email } = installed
  await using database = await connected(environment.DATABASE_URL)
  const client = createClient({ baseUrl: url, accessToken: token })
  let server = await startServer(environment)
  const dieIn = async (write: Write, act: () => Promise<unknown>): Promise<void> => {
    const acted: Promise<unknown>[] = []
    {
      await using held = await holdUp(database, write)
      acted.push(act().catch(() => undefined))
      await held.reached()
      server.child.kill('SIGKILL')
      await once(server.child, 'exit')
    }
    await Promise.all(acted)
    // As if the lease of the killed process had ended, and the time of a job had come.
    await database.query("update certificates set next_attempt_at = now() where state = 'running'")
    await database.query("update pgboss.job set start_after = now() where name = 'certificate-correction'")
    server = await onceItWorks(() => startServer(environment))
  }
  const submit = (number: string, more: { readonly replaces?: string; readonly reason?: string } = {}) =>
    client.notarizeCertificate({
      company,
      query: { mode: 'test', identity, ...more },
      document: new Blob([JSON.stringify(sampleCertificate({ number }))], { type: 'application/json' }),
    })
  const ended = (jobId: string | undefined): Promise<Certificate> =>
    onceItWorks(() => endedNotarization(client, { company, jobId }))
  const read = (id: string) => client.readCertificate({ company, params: { id } })
  const issue = async (number: string) => ended((await submit(number)).jobId)
  const replace = (id: string, number: string) => submit(number, { replaces: id, reason: 'Corrected values' })
  const assertOnce = async ({ hash, id, corrections = [] }: Certificate, action: string): Promise<void> => {
    assert.equal(corrections.length, 1)
    const bundle = await client.readProof({ params: { hash: hash.value }, query: { mode: 'test' } })
    assert.equal(bundle.corrections.length, 1)
    const told = await rows(
      database,
      `select 1 from outbox where action = '${action}_one' and about_id = '${id}'`,
    )
    const logged = await rows(
      database,
      `select 1 from audit_log where action = 'certificates.${action}' and subject = '${id}'`,
    )
    assert.deepEqual([told.length, logged.length], [1, 1])
  }

  try {
    const first = await issue('REPLACED-0')
    await dieIn(accepting, () => replace(first.id, 'NEW-0'))
    assert.equal((await read(first.id)).corrections, undefined)
    assert.equal((await rows(database, 'select 1 from certificates')).length, 1, 'nothing is left')

    let old = first
    for (const [at, write] of writes.entries()) {
      const accepted: string[] = []
      await dieIn(write, async () => {
        accepted.push((await replace(old.id, `NEW-${at}`)).jobId ?? '')
      })
      const done = await ended(accepted[0])
      assert.equal(done.state, 'notarized', write.what)
      const replaced = await read(old.id)
      assert.equal(replaced.replacedBy, done.id, write.what)
      await assertOnce(replaced, 'replace')
      old = done
    }
    await eventually(async () => (await mailsAbout([folder], /(NEW-\d+)/)).size >= writes.length)
    const told = await mailsAbout([folder], /(NEW-\d+) .*replaced/)
    assert.deepEqual(
      [...told.keys()].filter((each) => each.includes(email)),
      [],
      'one mail about both',
    )

    const withdraw = () =>
      client.withdrawCertificate({ company, params: { id: old.id }, body: { reason: 'Wrong heat' } })
    for (const write of [writes[2], writes[4]]) {
      assert.ok(write)
      await dieIn(write, withdraw)
      const withdrawn = await eventually(async () => {
        const found = await onceItWorks(() => read(old.id))
        return found.withdrawn === true && found
      })
      await assertOnce(withdrawn, 'withdraw')
      old = await issue(`WITHDRAWN-${write.what}`)
    }
  } finally {
    await server[Symbol.asyncDispose]()
  }
})
