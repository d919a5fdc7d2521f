import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fuzz, type Outcome } from './fuzz.ts'
import { type Defect, defects, plantedActors, plantedDocument } from './planted-document.ts'
import { startPlantedServer } from './planted-server.ts'
import { readApi } from './read-api.ts'

type Wanted = { readonly seed?: number; readonly expected?: RegExp }

const fuzzOne = async (defect?: Defect, { seed = 822, expected }: Wanted = {}): Promise<Outcome> => {
  await using server = await startPlantedServer(defect)
  const [owner, stranger] = plantedActors
  const target = {
    url: server.url,
    api: readApi(plantedDocument),
    documents: {},
    kept: [],
    cast: async () => ({ actors: [owner], stranger, ids: { things: [server.put()] } }),
  }
  const isEnough = (findings: readonly string[]) =>
    expected !== undefined && findings.some((finding) => expected.test(finding))
  return await fuzz(target, { seed, rounds: 50, isEnough })
}

/** 50 rounds each at most; most defects show in the first. */
const mostRuns = 8

describe('the fuzzer finds every planted defect', () => {
  test('the fuzzer finds nothing in a server without a defect', async () => {
    const { findings, accepted } = await fuzzOne()
    assert.deepEqual(findings, [])
    assert.equal(accepted.size, 4)
  })

  for (const [defect, expected] of Object.entries(defects)) {
    test(defect, async () => {
      const findings: string[] = []
      for (let seed = 1; seed <= mostRuns && !findings.some((finding) => expected.test(finding)); seed += 1)
        findings.push(...(await fuzzOne(defect as Defect, { seed, expected })).findings)
      assert.match(findings.join('\n'), expected)
    })
  }
})
