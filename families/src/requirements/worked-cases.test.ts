import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEnglish } from '@millseal/contract/reasons'
import { analysisCases } from './analysis-cases.fixture.ts'
import { checkRules, worstOf } from './check-requirement.ts'
import { impactCases } from './impact-cases.fixture.ts'
import { readRequirement } from './read-requirement.ts'
import type { CheckLine } from './requirement.ts'
import { shareCases } from './share-cases.fixture.ts'
import { strengthCases } from './strength-cases.fixture.ts'

const shown = ({ result, of, heat, compared, limit }: CheckLine): string =>
  [result, of, heat === undefined ? undefined : `(${heat})`, compared, limit]
    .filter((part) => part !== undefined)
    .join(' ')

const cases = [...shareCases, ...analysisCases, ...strengthCases, ...impactCases]

describe('the cases that were worked by hand', () => {
  for (const { says, source, facts, rules, also, verdict, lines } of cases)
    test(`${says} (${source})`, () => {
      const requirement = readRequirement({ name: 'Worked', ...also, rules })
      const found = checkRules(requirement, { facts, valuesAt: () => [] })
      assert.deepEqual(found.map(shown), lines)
      assert.equal(worstOf(found), verdict)
      for (const { result, reason } of found) {
        const sentence = reason === undefined ? '' : inEnglish(reason)
        assert.equal(result !== 'pass' && sentence === '', false)
        assert.doesNotMatch(sentence, /[{}]/)
      }
    })

  test('are at least 60, each with its source', () => {
    assert.ok(cases.length >= 60)
    assert.ok(cases.every(({ source }) => source !== ''))
    assert.equal(new Set(cases.map(({ says }) => says)).size, cases.length)
  })
})
