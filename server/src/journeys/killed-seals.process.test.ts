import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { verifySeal } from '@millseal/proof'
import { sha256 } from '../../test/certificate-service.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually, onceItWorks } from '../../test/eventually.ts'
import { makeSealFiles } from '../../test/seal-files.ts'
import { startServer } from '../../test/server-process.ts'
import { connected, openInstallation, rows } from './killed.suite.ts'

describe('a seal and kill -9', () => {
  test('between sealing and recording, the sealed PDF that was stored is the one that is recorded, once', async () => {
    await using installed = await openInstallation()
    await using files = await makeSealFiles('ECDSA')
    const { environment, url, token, company, identity } = installed
    const seals = join(files.folder, 'seals')
    await writeFile(seals, `seal ${company} test ${files.key} ${files.chain}\n`)
    const sealing = { ...environment, MILLSEAL_SEALS: seals }
    await using client = await connected(environment.DATABASE_URL)
    const stored = async () => {
      const [row] = await rows(client, 'select pdf, pdf_hash, seal, state, attempts from certificates')
      return row as { pdf: Buffer | null; pdf_hash: string | null; seal: string; state: string }
    }
    let server = await startServer(sealing)
    try {
      await using blocking = await connected(environment.DATABASE_URL)
      // The use of a key waits for its entry in this table: the PDF is sealed and stored then, and nothing is recorded.
      await blocking.query(`
        create function wait_for_lock() returns trigger language plpgsql
        as $$ begin perform pg_advisory_xact_lock(7); return new; end $$;
        create trigger wait_for_lock before insert on audit_log for each row
        when (new.action <> 'certificates.notarize') execute function wait_for_lock();
        select pg_advisory_lock(7)`)
      await notarize(url, { token, company, identity })
      const before = await eventually(async () => {
        const row = await stored()
        return row?.pdf !== null && row?.pdf !== undefined && row
      })
      assert.equal(before.state, 'running')
      server.child.kill('SIGKILL')
      await once(server.child, 'exit')
      await blocking.query('select pg_advisory_unlock(7)')
      // Otherwise the next process waits until the lease of this one has ended.
      await blocking.query('update certificates set next_attempt_at = now()')
      server = await onceItWorks(() => startServer(sealing))
      const after = await eventually(
        async () => {
          const row = await stored()
          return row.state !== 'running' && row
        },
        { what: 'the next process ends it' },
      )
      assert.equal(after.state, 'notarized')
      assert.deepEqual([after.pdf, after.pdf_hash, after.seal], [before.pdf, before.pdf_hash, before.seal])
      assert.equal(sha256(after.pdf ?? ''), after.pdf_hash)
      assert.equal(verifySeal(after.pdf ?? Buffer.alloc(0), [])?.signer, 'Stahl und Eisen GmbH, Quality')
      const recorded = await rows(
        client,
        "select encode(pdf_hash, 'hex') as pdf_hash from ledger_entries where mode = 'test' and json_hash is not null",
      )
      assert.deepEqual(recorded, [{ pdf_hash: after.pdf_hash }])
    } finally {
      await server[Symbol.asyncDispose]()
    }
  })
})

const notarize = async (
  url: string,
  { token, company, identity }: Readonly<Record<'token' | 'company' | 'identity', string>>,
): Promise<void> => {
  const response = await fetch(`${url}/api/certificates/notarize?mode=test&identity=${identity}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, company, 'content-type': 'application/json' },
    body: JSON.stringify(sampleCertificate()),
  })
  assert.equal(response.status, 201, await response.text())
}
