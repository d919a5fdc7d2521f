import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { asvsPage, type Requirement, requirements } from './asvs.ts'

const root = join(import.meta.dirname, '../..')

/** Proofs that are not there, and verdicts without the test or the reason they need. */
const faultsOf = async (rows: readonly Requirement[]): Promise<string[]> => {
  const faults: string[] = []
  for (const { id, verdict, proofs, reason } of rows) {
    if (verdict === 'holds' ? proofs.length === 0 : reason === undefined) faults.push(`${id}: no evidence`)
    for (const { file, text } of proofs) {
      const source = await readFile(join(root, file), 'utf8').catch(() => '')
      if (!/\.(?:test\.ts|suite\.ts|md)$/.test(file) || text.length < 3 || !source.includes(text))
        faults.push(`${id}: ${file}: ${text}`)
    }
  }
  return faults
}

describe('the table of OWASP ASVS 5.0.0', () => {
  test('has every requirement of levels 1 and 2 once, in its order', () => {
    const ids = requirements.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    const key = (id: string): number => id.split('.').reduce((sum, part) => sum * 100 + Number(part), 0)
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => key(one) - key(other)),
    )
    const counted = [1, 2].map((wanted) => requirements.filter(({ level }) => level === wanted).length)
    assert.deepEqual(counted, [70, 183])
  })

  test('names existing tests and documents, or a reason', async () => {
    assert.deepEqual(await faultsOf(requirements), [])
  })

  test('describes each in at most 15 words', () => {
    for (const { id, what } of requirements) assert.ok(what.split(' ').length <= 15, id)
  })

  test('docs/asvs.md is up to date', async () => {
    assert.equal(await readFile(join(root, 'docs/asvs.md'), 'utf8'), asvsPage(), 'run script/dump')
  })

  test('a missing test and a missing reason are reported', async () => {
    const one = requirements.find(({ verdict }) => verdict === 'holds')
    assert.ok(one)
    const planted: Requirement[] = [
      { ...one, proofs: one.proofs.map((proof) => ({ ...proof, text: 'what nobody tests' })) },
      { ...one, proofs: [] },
      { ...one, verdict: 'does not hold', proofs: [] },
    ]
    const faults = await faultsOf(planted.map(({ reason: _reason, ...row }) => row))
    assert.equal(faults.length, one.proofs.length + 2)
  })
})
