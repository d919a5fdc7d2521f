import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allCertificates } from '../../test/all-certificates.ts'
import { toDocument } from '../to-document.ts'
import { logoOf } from './logo.ts'

test('the logo of a certificate is that of its document', async () => {
  const families = new Set<string>()
  for (const { certificate, entry } of await allCertificates()) {
    const { logo, family } = toDocument(certificate, entry)
    const shown = logo === undefined || 'missing' in logo ? undefined : logo
    assert.equal(logoOf(certificate)?.base64, shown?.base64)
    if (shown !== undefined) families.add(family)
  }
  assert.ok(families.has('en10168') && families.has('coa'), [...families].join(', '))
})
