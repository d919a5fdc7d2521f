import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fuzz, type Outcome } from './fuzz.ts'
import { type Defect, defects, plantedActors, plantedDocument } from './planted-document.ts'
import { startPlantedServer } from './planted-server.ts'
import { readApi } from './read-api.ts'

const fuzzOne = async (defect?: Defect, seed = 822): Promise<Outcome> => {
  await using server = await startPlantedServer(defect)
  const [owner, stranger] = plantedActors
  const target = {
    url: server.url,
    api: readApi(plantedDocument),
    documents: {},
    kept: [],
    cast: async () => ({ actors: [owner], stranger, ids: { things: [server.put()] } }),
  }
  return await fuzz(target, { seed, rounds: 50 })
}

/** 50 rounds each; most defects show in the first. */
const mostRuns = 8

describe('the fuzzer finds what was planted', () => {
  test('and nothing in a server without a defect', async () => {
    const { findings, accepted } = await fuzzOne()
    assert.deepEqual(findings, [])
    assert.equal(accepted.size, 4)
  })

  for (const [defect, expected] of Object.entries(defects)) {
    test(defect, async () => {
      const findings: string[] = []
      for (let seed = 1; seed <= mostRuns && !findings.some((finding) => expected.test(finding)); seed += 1)
        findings.push(...(await fuzzOne(defect as Defect, seed)).findings)
      assert.match(findings.join('\n'), expected)
    })
  }
})
