import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { scorecard, scorecardPage } from './scorecard.ts'

const root = join(import.meta.dirname, '../..')

const missingIn = async (rows: typeof scorecard): Promise<string[]> => {
  const missing: string[] = []
  for (const { number, proofs } of rows) {
    for (const { file, test: name } of proofs) {
      const source = await readFile(join(root, file), 'utf8').catch(() => '')
      if (!/\.(test|suite)\.ts$/.test(file) || !source.includes(name))
        missing.push(`${number}: ${file}: ${name}`)
    }
  }
  return missing
}

describe('the reliability scorecard', () => {
  test('names existing tests, or says why there is none', async () => {
    assert.deepEqual(await missingIn(scorecard), [])
    assert.equal(scorecard.length, 50)
    for (const { number, proofs, missing } of scorecard)
      assert.ok(proofs.length > 0 || missing !== undefined, String(number))
  })

  test('docs/reliability-scorecard.md is up to date', async () => {
    const page = await readFile(join(root, 'docs/reliability-scorecard.md'), 'utf8')
    assert.equal(page, scorecardPage(), 'run script/dump')
  })

  test('a missing test is reported', async () => {
    const [row] = scorecard
    assert.ok(row)
    const [proof] = row.proofs
    assert.ok(proof)
    const planted = { ...row, proofs: [{ ...proof, test: 'what nobody tests' }] }
    assert.equal((await missingIn([planted])).length, 1)
  })
})
