import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ApiError } from '@millseal/sdk'
import { createFolderFiles } from '../adapters/files/folder.ts'
import { verifyLog } from '../adapters/ledger/embedded/verify-log.ts'
import { sampleCertificate } from '../../test/certificates.ts'
import { eventually } from '../../test/eventually.ts'
import { countPublished } from '../../test/log-size.ts'
import { lacksMounting, mountSmallDisk } from '../../test/faulty-disk.ts'
import { startOwnServer } from '../../test/test-server.ts'
import { newOwner } from '../../test/machines.ts'
import { endedNotarization, newIdentity } from '../../test/signers.ts'

/** Enough for a new installation with its database, and a little more. */
const megabytes = 400
/** Fills the free space in existing pages of the database too. */
const refusals = 20
const skip = await lacksMounting()

describe('a data folder whose disk is full', () => {
  test('answers writes with 503, stays readable, and loses nothing it accepted', { skip }, async () => {
    await using disk = await mountSmallDisk(megabytes)
    const dataDir = join(disk.path, 'data')
    await using server = await startOwnServer({
      databaseUrl: '',
      environment: { MILLSEAL_DATA_DIR: dataDir, MILLSEAL_FILES: 'folder' },
    })
    const { admin, company } = await newOwner(server, 'crowded-mill')
    const client = server.client(admin.accessToken)
    const { id: identity } = await newIdentity(client, company.id)
    const notarize = async (): Promise<string> => {
      const { jobId } = await client.notarizeCertificate({
        company: company.id,
        query: { mode: 'test', identity },
        document: new Blob([JSON.stringify(sampleCertificate())], { type: 'application/json' }),
      })
      return jobId ?? assert.fail('no job')
    }
    const accepted = [await notarize()]
    await endedNotarization(client, { company: company.id, jobId: accepted[0] })
    await disk.fill()
    for (let refused = 0; refused < refusals; ) {
      const outcome = await notarize().catch((error: unknown) => error)
      if (typeof outcome === 'string') accepted.push(outcome)
      else {
        assert.ok(outcome instanceof ApiError)
        assert.equal(outcome.status, 503, outcome.message)
        refused += 1
      }
      assert.equal((await client.readCompany({ params: { id: company.id } })).id, company.id)
    }
    await disk.makeRoom()
    accepted.push(await eventually(() => notarize().catch(() => undefined), { everyMs: 100 }))
    for (const jobId of accepted) {
      assert.equal((await endedNotarization(client, { company: company.id, jobId })).state, 'notarized')
    }
    const files = createFolderFiles(join(dataDir, 'ledger', 'test'))
    const { problems } = await verifyLog({ files })
    assert.deepEqual([await countPublished(files.read), problems], [accepted.length, []])
  })
})
