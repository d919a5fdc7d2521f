import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPolicy, verifyBundle } from '@millseal/proof/verifier'
import { smallPrimitives as primitives } from '@millseal/proof/small'
import { readingOf, reviewCases } from '@millseal/proof/testing'
import { headlineOf } from './headline.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'

test('the page says that an operator reviewed itself, in green all the same, and of no one else', async () => {
  const cases = await reviewCases()
  const headlineIn = (name: string, texts: typeof en) => {
    const found = cases.find((one) => one.name === name)
    assert.ok(found && 'bundle' in found && 'policy' in found && 'hash' in found.file, name)
    const { file, bundle, policy } = found
    return headlineOf(
      texts,
      verifyBundle({ file, bundle, policy: readPolicy(policy, primitives), ...readingOf(found) }, primitives),
    )
  }
  const own = 'an operator that reviewed itself'
  const english = headlineIn(own, en)
  assert.equal(english.tone, 'good')
  assert.match(english.why, / The operator of this service is the issuer itself: no one else reviewed it\.$/)
  assert.match(headlineIn(own, de).why, / Der Betreiber ist selbst der Aussteller: /)
  const other = headlineIn('a review at the end of the year 9999', en)
  assert.doesNotMatch(other.why, /no one else/)
})
