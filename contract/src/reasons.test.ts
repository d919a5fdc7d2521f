import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errors } from './errors.ts'
import { inWords, wordsOf } from './reason-words.ts'
import { atPlace, because, inEnglish, reasonGroups, reasons, reasonTemplates } from './reasons.ts'
import type { Entries } from './reasons/entries.ts'

const entries = Object.entries<Entries[string]>(reasons)
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** What a template says, by the values that its function tells apart. */
const variantsOf = ({ de }: Entries[string]): readonly string[] =>
  typeof de === 'string'
    ? [de]
    : [
        { limit: 1, comparison: '>=', format: 'date' },
        { limit: 2, comparison: '<', format: 'x' },
      ].map(de)

describe('a reason', () => {
  test('has words in both languages, whose values are those of the English ones', () => {
    assert.ok(entries.length > 200, `${entries.length} reasons`)
    const wrong = entries.flatMap(([code, entry]) => {
      const given = new Set(namesIn(entry.en))
      const variants = variantsOf(entry)
      const isEmpty = variants.some((text) => text.trim() === '')
      const unknown = variants.flatMap(namesIn).filter((name) => !given.has(name))
      return isEmpty || unknown.length > 0 ? [`${code}: ${unknown.join(', ')}`] : []
    })
    assert.deepEqual(wrong, [])
  })

  test('names its place at the beginning of a sentence in both languages, or in neither', () => {
    const wrong = entries.flatMap(([code, entry]) => {
      const texts = [entry.en, ...variantsOf(entry)]
      const count = texts.filter((text) => text.startsWith('{place}: ')).length
      const isElsewhere = texts.some((text) => text.lastIndexOf('{place}') > 0)
      return isElsewhere || (count > 0 && count < texts.length) ? [code] : []
    })
    assert.deepEqual(wrong, [])
  })

  test('has a code of its own, which no error has', () => {
    const codes = Object.values(reasonGroups).flatMap((group) => Object.keys(group))
    assert.deepEqual(codes.toSorted(), Object.keys(reasons).toSorted())
    assert.deepEqual(
      codes.filter((code) => Object.hasOwn(errors, code)),
      [],
    )
  })

  test('says its values, the reasons in them, its place first and its label last', () => {
    const flaw = because('picture_too_wide', { most: 8_192 })
    const reason = because('picture_of_document', { flaw, place: '/logo', label: 'Logo' })
    assert.equal(
      inEnglish(reason),
      '/logo A picture of the document is larger than 8192 pixels a side (Logo)',
    )
    assert.equal(
      wordsOf(reason, reasonTemplates.de),
      'Ein Bild des Zeugnisses hat an einer Seite mehr als 8192 Punkte',
    )
    assert.equal(inEnglish(atPlace('/x', because('is_required'))), '/x is required')
    const sentence = because('unknown_action', { action: 'fly' })
    assert.equal(inEnglish(atPlace('/x', sentence)), '/x: there is no action fly')
    assert.equal(inEnglish(sentence), 'there is no action fly')
    assert.equal(
      inWords(because('schema_min_items', { limit: 1 }), reasonTemplates.de),
      'darf nicht leer sein',
    )
    assert.equal(
      inEnglish(because('must_be', { value: '{value} $&' })),
      'must be {value} $&',
      'a value as it is',
    )
  })

  test('of a newer release is unknown here', () => {
    assert.equal(inWords({ code: 'later', values: {} }, reasonTemplates.de), undefined)
    assert.equal(inWords({ code: 'toString', values: {} }, reasonTemplates.de), undefined)
    const inner = { code: 'document_refused', values: { flaw: { code: 'later', values: {} } } }
    assert.equal(inWords(inner, reasonTemplates.de), undefined, 'nor one that has it as a value')
    assert.equal(inWords({ code: 'document_refused', values: {} }, reasonTemplates.de), undefined)
  })

  test('cannot be made without its values, with others, or of a sentence', () => {
    // @ts-expect-error: without its value
    because('must_be')
    // @ts-expect-error: another value
    because('must_be', { valeu: 5 })
    // @ts-expect-error: a value that its words do not have
    because('is_required', { value: 5 })
    // @ts-expect-error: a sentence
    because('The identity is revoked')
    assert.ok(because('must_be', { value: 5, place: '/coinType' }))
  })
})
