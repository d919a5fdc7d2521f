import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auditSignatures, judgeSignatures } from './signatures.ts'

describe('every package', () => {
  test('has the signature of its registry, if the registry has signatures', async (context) => {
    const { verdict, reason } = await auditSignatures()
    assert.notEqual(verdict, 'refused', reason)
    context.diagnostic(`${verdict}: ${reason}`)
  })

  test('whose signature is missing or wrong is reported; one that nobody can verify is skipped, with the reason', () => {
    const judged = (code: number, output: string) => judgeSignatures({ code, output })
    assert.equal(judged(1, '2 packages have missing registry signatures').verdict, 'refused')
    assert.equal(judged(1, '1 package has an invalid registry signature').verdict, 'refused')
    assert.equal(judged(1, '1 package has an invalid attestation').verdict, 'refused')
    assert.deepEqual(
      judged(0, 'audited 300 packages in 2s\n\n300 packages have verified registry signatures\n'),
      {
        verdict: 'verified',
        reason: '300 packages have verified registry signatures',
      },
    )
    assert.deepEqual(
      judged(
        1,
        'npm error code ENOTFOUND\nnpm error network request to https://keys.example failed, reason: x\n',
      ),
      { verdict: 'skipped', reason: 'network request to https://keys.example failed, reason: x' },
    )
    assert.equal(judged(0, '').verdict, 'skipped', 'nothing was verified')
  })
})
