import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { extractEmbeddedCertificate } from '@millseal/proof'
import { readCertificate } from '../certificate/read-certificate.ts'
import { ownEntries } from '../registry/own-schemas.ts'
import { toDocument } from '../to-document.ts'
import { createPdfRenderer } from './renderer.ts'
import { silentLog } from './testing/document.ts'
import { brokenRules, objectsOf } from './testing/structure.ts'

const folder = join(import.meta.dirname, '../../../../shared/data/certificates')

test('every published certificate becomes a PDF/A-3a that contains it', async (t) => {
  if (!existsSync(folder)) return t.skip('the real certificates are not beside the checkout')
  await using renderer = createPdfRenderer({ workers: 1, log: silentLog })
  const entries = ownEntries([])
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.json'))
  let rendered = 0
  for (const path of paths.toSorted()) {
    const family = path.split('/', 1)[0] ?? ''
    const entry = entries.find((candidate) => candidate.family === family)
    assert.ok(entry !== undefined, `no schema of ours for ${family}`)
    if (!/\/(?:valid|malformed)[^/]*$/.test(path)) continue
    const certificateBytes = await readFile(join(folder, path))
    const certificate = readCertificate(certificateBytes)
    const document = toDocument(certificate, entry)
    const pdf = await renderer.render(
      {
        document,
        mode: 'live',
        isDraft: false,
        certificateBytes,
        hash: certificate.hash,
        verifyUrl: 'https://verify.example/',
      },
      AbortSignal.timeout(60_000),
    )
    const hasTable = document.sections.some(({ blocks }) => blocks.some(({ kind }) => kind === 'table'))
    const tables = 'has tables with heads and cells'
    assert.deepEqual(brokenRules(objectsOf(pdf)), hasTable ? [] : [tables], path)
    const carried = await extractEmbeddedCertificate(pdf)
    assert.ok(carried !== undefined && certificateBytes.equals(carried), path)
    rendered += 1
  }
  assert.ok(rendered >= 20)
})
