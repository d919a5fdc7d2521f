import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { summaryOf } from '../../console/src/verify/summary.ts'
import { families } from '../../families/src/index.ts'
import type { JsonValue } from '../../proof/src/index.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/certificates.md'), 'utf8')

for (const { name, types, samples } of families)
  describe(`the family ${name}`, () => {
    test('is in the table of docs/certificates.md with all of its types', () => {
      for (const { type } of types)
        assert.ok(page.includes(`\`${type}\``), `add ${type} to the table in docs/certificates.md`)
    })

    test('is summarized in the browser, where a file is read before any server is asked', () => {
      // The order is left out: that of E-CoC is an element of a list, which no path names.
      const { order: _, ...summary } = summaryOf(samples[0] as JsonValue)
      for (const [fact, found] of Object.entries(summary))
        assert.ok(found, `add the ${fact} of ${name} to paths in console/src/verify/summary.ts`)
    })
  })
