import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openFonts } from '../fonts.ts'
import { sampleDocument } from '../testing/document.ts'
import { printableDocument } from './printable.ts'
import { unusualTexts } from './unusual-texts.ts'

const fonts = openFonts()
const printed = async (text: string): Promise<string> => {
  const document = { ...sampleDocument(), number: text }
  const unusual = unusualTexts(document)
  return printableDocument(document, { unusual, typeface: await fonts.typefaceFor(unusual) }).number ?? ''
}

test('a printed text keeps covered characters, drops invisible ones and has code points of the others', async () => {
  assert.equal(await printed('Łódź 钢 ≤ ⌀ Ω\u0000\u0007\u200B\uFE0F'), 'Łódź 钢 ≤ ⌀ Ω')
  assert.equal(await printed('a\r\nb\u2028c\td'), 'a\nb\nc d')
  assert.equal(await printed('\uD800🚀\uE000\u202E'), '[U+D800][U+1F680][U+E000][U+202E]')
  assert.equal(
    await printed(`a${'\u0301'.repeat(30)}`),
    `a${'\u0301'.repeat(6)}${'[U+0301]'.repeat(20)}[+ 4]`,
  )
})

test('a printed text has only characters that the fonts cover', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (text) => {
      const document = { ...sampleDocument(), number: text }
      const unusual = unusualTexts(document)
      const typeface = await fonts.typefaceFor(unusual)
      for (const character of printableDocument(document, { unusual, typeface }).number ?? '')
        assert.ok(character === '\n' || typeface.covers(character.codePointAt(0) ?? 0))
    }),
    { numRuns: 200 },
  )
})
