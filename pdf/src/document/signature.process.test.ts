import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readWithQpdf } from '../../testing/qpdf.ts'
import { openDocument } from '../../testing/sample.ts'
import { holeOf, signWithOpenssl } from '../../testing/sign.ts'
import { runTool, skipWithout, writePdf } from '../../testing/tools.ts'

const signature = { signer: 'Stahl & Söhne', at: '2026-01-31T12:30:00Z', bytes: 4_000 }

const twoPages = (): Promise<Uint8Array> => {
  const document = openDocument({ signature })
  document.addPage()
  document.addPage()
  return document.toBytes()
}

describe('room for a signature', async () => {
  test('is one field without an area, on the first page, whose ranges are all bytes but the hole', {
    skip: await skipWithout('qpdf'),
  }, async () => {
    const pdf = await twoPages()
    const shown = await readWithQpdf(pdf)
    const catalog = shown.dictionaryOf(shown.trailer['/Root'])
    const form = shown.dictionaryOf(catalog['/AcroForm'])
    assert.equal(form['/SigFlags'], 3)
    const [reference, ...others] = form['/Fields'] as readonly string[]
    assert.deepEqual(others, [])
    const field = shown.dictionaryOf(reference)
    assert.deepEqual([field['/Rect'], field['/F'], field['/FT']], [[0, 0, 0, 0], 132, '/Sig'])
    const kids = shown.dictionaryOf(catalog['/Pages'])['/Kids'] as readonly string[]
    assert.deepEqual(
      kids.map((kid) => shown.dictionaryOf(kid)['/Annots']),
      [[reference], undefined],
    )
    assert.equal(field['/P'], kids[0])
    const value = shown.dictionaryOf(field['/V'])
    const { from, to } = holeOf(pdf)
    assert.deepEqual(value['/ByteRange'], [0, from, to, pdf.length - to])
    assert.equal(to - from, 2 * signature.bytes + 2)
    assert.deepEqual(
      [value['/Name'], value['/M'], value['/SubFilter']],
      ['u:Stahl & Söhne', 'u:D:20260131123000Z', '/ETSI.CAdES.detached'],
    )
  })

  test('takes a signature that Poppler finds valid, and not after a byte has changed', {
    skip: await skipWithout('pdfsig', 'openssl'),
  }, async () => {
    const signed = await signWithOpenssl(await twoPages())
    await using file = await writePdf(signed)
    const said = await runTool('pdfsig', ['-nocert', file.path])
    assert.match(said, /Signature Validation: Signature is Valid\./)
    assert.match(said, /Total document signed/)
    const changed = Buffer.from(signed)
    changed.write('Titel', changed.indexOf('A title'), 'latin1')
    await using other = await writePdf(changed)
    assert.match(await runTool('pdfsig', ['-nocert', other.path]), /Digest Mismatch/)
  })

  test('is not there unless it is wanted', { skip: await skipWithout('qpdf') }, async () => {
    const document = openDocument()
    document.addPage()
    const pdf = await document.toBytes()
    const shown = await readWithQpdf(pdf)
    assert.equal(shown.dictionaryOf(shown.trailer['/Root'])['/AcroForm'], undefined)
    assert.equal(Buffer.from(pdf).indexOf('/Sig'), -1)
  })
})
