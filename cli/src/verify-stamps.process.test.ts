import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { JsonValue } from '@millseal/proof'
import { certify, extensions, stampOf } from '@millseal/proof/node/stamp-authority'
import { at, openLog, verifying } from '../test/certified.ts'

const root = certify({ subject: 'Association root', more: [extensions.authority] })
const other = certify({ subject: 'Other root', more: [extensions.authority] })
const signer = certify({ subject: 'Association', by: root })
const pem = ({ bytes }: typeof root): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(bytes).toString('base64')}\n-----END CERTIFICATE-----\n`

let place: Awaited<ReturnType<typeof verifying>>
const files: Record<'der' | 'pem' | 'other', string> = { der: '', pem: '', other: '' }
before(async () => {
  place = await verifying()
  files.pem = await place.write('roots.pem', `${pem(other)}${pem(root)}`)
  files.other = await place.write('other.pem', pem(other))
  files.der = place.path('root.der')
  await writeFile(files.der, root.bytes)
})
after(() => place[Symbol.asyncDispose]())

const verify = async (roots: readonly string[], file = place.path('c.json')) => {
  const { log, transaction, named } = openLog('live')
  log.addState(at(50))
  const bundle = await log.bundle(transaction, named, at(50), 3)
  const stamps = [stampOf(bundle, { signer, time: '2026-11-22T05:51:00Z' })]
  const given: JsonValue = { ...bundle, stamps }
  const ran = await place.verify(
    { bundle: given, policy: { logs: [log.vkey] } },
    file,
    ...roots.flatMap((one) => ['--stamp-roots', one]),
  )
  const { stamps: said } = ran.report as { readonly stamps?: readonly { readonly before: string }[] }
  return { ...ran, said: said?.map(({ before: time }) => time) }
}

test('millseal verify says before when a certificate was recorded, by authorities that the reader trusts', async () => {
  for (const roots of [files.der, files.pem]) {
    const { text, status, said } = await verify([roots])
    assert.deepEqual([status, said], [0, ['2026-11-22T05:51:00.000Z']], text)
    assert.match(text, /✓ Time stamp {3}Recorded before 2026-11-22T05:51:00\.000Z, says Association root\n/)
  }
})

test('millseal verify says that no such authority stamped it, and nothing without roots', async () => {
  const none = await verify([files.other])
  assert.deepEqual([none.status, none.said], [0, []])
  assert.match(none.text, /– Time stamp {3}None by an authority that you trust\n/)
  assert.doesNotMatch((await verify([])).text, /Time stamp/)
  const forged = await verify([files.der], place.path('forged.json'))
  assert.deepEqual([forged.status, forged.said], [1, []])
})

test('millseal verify names a file of roots that it cannot use', async () => {
  for (const [file, why] of [
    [place.path('missing.pem'), /missing\.pem does not exist, or cannot be read/],
    [place.path('c.json'), /c\.json cannot be used: it has no certificate in PEM or DER/],
  ] as const) {
    const { report, status } = await verify([file])
    assert.equal(status, 5)
    assert.match(report.checks[0]?.says ?? '', why)
  }
})
