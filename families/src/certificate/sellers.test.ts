import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonValue, sellersOf } from '@millseal/proof'
import { families } from '../families/index.ts'
import { partiesOf } from './parties.ts'
import type { JsonObject } from './read-certificate.ts'

test('verifiers find the same sellers in a certificate as its family', () => {
  for (const { name, samples } of families)
    for (const sample of samples) {
      const json = sample as JsonObject
      const { senders } = partiesOf({ json })
      assert.deepEqual(
        sellersOf(json as JsonValue).map((seller) => [seller.name, seller.vatId]),
        senders.map((sender) => [sender.name, sender.vatId]),
        name,
      )
      assert.ok(senders.length > 0, name)
    }
})
