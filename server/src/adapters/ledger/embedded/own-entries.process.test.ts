import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLedgerInstallation } from '../../../../test/ledger-installation.ts'
import { certificateAsset, makeLedgerSigner } from '../../../../test/ledger-signer.ts'
import { mostEntriesOfCertificate } from '@millseal/replay'
import { createIndexReader } from './index-reader.ts'
import { verifyLog } from './verify-log.ts'

test('a log with entries of several signers for a certificate is intact, and has at most so many', async () => {
  await using server = await openLedgerInstallation()
  await using ledger = server.open()
  await ledger.start()
  const asset = certificateAsset()
  const { entry: first } = await ledger.submit(makeLedgerSigner().create(asset))
  const beside = { ...asset, beside: first.transaction.id }
  const submitted = await Promise.all(
    Array.from({ length: mostEntriesOfCertificate + 3 }, () =>
      ledger.submit(makeLedgerSigner().create(beside)),
    ),
  )
  assert.equal(submitted.filter(({ isNew }) => isNew).length, mostEntriesOfCertificate - 1)
  for (const { isNew, entry } of submitted) if (!isNew) assert.deepEqual(entry, first)
  assert.equal((await ledger.findEntriesOf(asset.jsonHash)).length, mostEntriesOfCertificate)
  const index = createIndexReader(server.database.query, 'test')
  assert.deepEqual((await verifyLog({ files: server.files, index })).problems, [])
})
