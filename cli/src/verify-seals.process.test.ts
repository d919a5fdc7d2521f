import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { pdfWithHole, seal, stamping } from '@millseal/proof/node/stamp-authority'
import { bundleOf, openLog, sha256, verifying } from '../test/certified.ts'

let place: Awaited<ReturnType<typeof verifying>>
before(async () => {
  place = await verifying()
  await writeFile(place.path('root.der'), stamping.root.bytes)
})
after(() => place[Symbol.asyncDispose]())

/** Of a PDF that is notarized, or of another one with its bundle. */
const verify = async (notarized: Uint8Array, given = notarized, ...options: readonly string[]) => {
  const opened = openLog('live', sha256(notarized))
  const file = place.path('sealed.pdf')
  await writeFile(file, given)
  const policy = { logs: [opened.log.vkey] }
  const ran = await place.verify({ bundle: await bundleOf(opened), policy }, file, ...options)
  const { seal: said } = ran.report as { readonly seal?: { readonly isIntact: boolean } }
  return { ...ran, seal: said }
}

test('millseal verify says who sealed a PDF, by whose clock, and what it does not judge', async () => {
  const plain = await verify(seal())
  assert.deepEqual([plain.status, plain.seal?.isIntact], [0, true], plain.text)
  assert.match(
    plain.text,
    /✓ Seal {9}Sealed by Mill Ltd on 2026-11-30T12:00:00\.000Z by its own clock; PAdES B-B\. The certificate is of Issuer of seals, whom this command does not judge\n/,
  )
  const stamped = seal({ stamped: 'itself' })
  assert.match((await verify(stamped)).text, /by its own clock; PAdES B-T\./)
  const trusted = await verify(stamped, stamped, '--stamp-roots', place.path('root.der'))
  assert.match(
    trusted.text,
    /Sealed by Mill Ltd before 2026-11-29T12:00:00\.000Z, says Root of stamps; PAdES B-T\./,
  )
})

test('millseal verify refuses a sealed PDF that was changed, whatever its seal says', async () => {
  const sealed = seal()
  const text = Buffer.from(sealed).toString('latin1')
  for (const [changed, why] of [
    [text.replace('a certificate', 'b certificate'), 'The seal was altered after it was signed'],
    [text.replace('00>>>', '01>>>'), 'The seal does not cover the whole PDF'],
    [`${text}8 0 obj\n`, 'The PDF was extended after it was sealed'],
  ] as const) {
    const { status, text: said, seal: found } = await verify(sealed, Buffer.from(changed, 'latin1'))
    assert.deepEqual([status, found], [1, { isIntact: false, why }], said)
    assert.ok(said.includes(`✗ Seal         ${why}\n`), said)
  }
  // Another seal that is intact makes no other file genuine.
  const other = await verify(sealed, seal({ pdf: pdfWithHole({ content: 'another' }) }))
  assert.deepEqual([other.status, other.seal?.isIntact], [1, true])
})

test('millseal verify says nothing of a seal where there is none', async () => {
  const { status, text, seal: found } = await verify(Buffer.from('%PDF-1.7 without'))
  assert.deepEqual([status, found], [0, undefined])
  assert.doesNotMatch(text, /Seal /)
})
