import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { inWords } from '@millseal/contract/in-words'
import { germanSentences } from '@millseal/contract/sentences-de'
import { JsonError, readStorableJson } from '@millseal/proof'
import { reasonOf } from '../../families/src/validate/reason.ts'
import { sentencesIn } from './german-sentences.ts'

const root = join(import.meta.dirname, '../..')

/** Programs call these; the console never does, or has a page of its own for what they say. */
const ofPrograms =
  /services\/(?:auth\/(?:application-tokens|pages|sessions)|certificate\/hashing|km\/(?:transactions|watch)|pipe\/mail-status)\/|(?:authenticate-browser|check-passkey|derive-address|mailed-link|unsubscribe-page|accept-invitation|read-form|rendering\.routes|http\/(?:authorize|body|gate|idempotency|operations)|embedded\/writer)\.ts$/

/** Where every string is a part of a sentence for people. */
const onlySentences =
  /(?:families\/src\/pictures\/(?:jpeg|png)|families\/src\/certificate\/en10204|user\/account\/(?:username|password)|courier\/undici\/\w+)\.ts$/

const files = globSync('{server/src/{services,http,adapters,lib},families/src}/**/*.ts', {
  cwd: root,
  exclude: (path) => /\.(?:test|suite|fixture)\.ts$|families\/src\/(?:packs|validate\/reason)/.test(path),
}).filter((path) => !ofPrograms.test(path))

/** The sentences of a file, without those of which nothing is written there but the place. */
const sentencesOf = (path: string): readonly string[] =>
  sentencesIn(path, readFileSync(join(root, path), 'utf8'), onlySentences.test(path))
    .map((sentence) => sentence.replace(/^7(?=[ :/])/, '/7'))
    .filter((sentence) => /[a-z]{2}.* [a-zA-Z]{2}/.test(sentence.replace(/^\/\S+/, '')))

const english = /\b(?:the|is|of|must|and|has|with)\b/i

const withoutGerman = (sentences: readonly string[]): readonly string[] =>
  sentences.filter((sentence) => {
    const words = inWords(sentence, germanSentences)
    return words === sentence || english.test(words)
  })

describe('a sentence of the server', () => {
  test('that the console or a mail shows is in German', () => {
    const sentences = files.flatMap(sentencesOf)
    assert.ok(sentences.length > 150, `${sentences.length} sentences`)
    assert.deepEqual(withoutGerman(sentences), [])
  })

  test('about a certificate is in German without its place, which the console shows beside it', () => {
    const ofCertificates = files.filter((path) => /certificate\/checking\/|families\/src\//.test(path))
    const reasons = ofCertificates
      .flatMap(sentencesOf)
      .map((sentence) => sentence.replace(/^\/[a-z]\S* /i, ''))
    assert.ok(reasons.length > 20, `${reasons.length} reasons`)
    assert.deepEqual(withoutGerman(reasons), [])
  })

  test('about a text that is no JSON is in German', () => {
    const reasons = brokenTexts.map((text) => {
      try {
        readStorableJson(new TextEncoder().encode(text), { maxDepth: 2 })
      } catch (error) {
        if (error instanceof JsonError) return error.message
      }
      return assert.fail(`${text} is JSON`)
    })
    assert.deepEqual(withoutGerman(reasons), [])
    assert.equal(
      inWords('Expected a key in double quotes at line 4, column 7 (/Certificate)', germanSentences),
      'Hier fehlt ein Name in doppelten Anführungszeichen (Zeile 4, Spalte 7, in /Certificate)',
    )
  })

  test('about a value that its schema refuses is in German', () => {
    const params = {
      additionalProperty: 'A',
      allowedValue: 'A',
      allowedValues: ['A', 'B'],
      format: 'time',
      missingProperty: 'A',
      propertyName: 'A',
      unevaluatedProperty: 'A',
    }
    const keywords =
      'required additionalProperties unevaluatedProperties propertyNames enum const format pattern uniqueItems'
    const error = { instancePath: '', schemaPath: '', params }
    const reasons = [
      ...[...keywords.split(' '), 'false schema', 'other'].map((keyword) => reasonOf({ ...error, keyword })),
      ...['string', 'number', 'integer', 'boolean', 'array', 'object', 'string,number'].map((type) =>
        reasonOf({ ...error, keyword: 'type', params: { type } }),
      ),
      ...messages.map((message) => reasonOf({ ...error, keyword: 'other', message })),
    ]
    assert.deepEqual(withoutGerman(reasons), [])
  })

  test('keeps its place and its numbers, may quote another one, and stays as it is if nobody knows it', () => {
    const says = (sentence: string) => inWords(sentence, germanSentences)
    assert.equal(says('The receiver answered 500'), 'Der Empfänger hat mit 500 geantwortet')
    assert.equal(says('/name is required'), '/name fehlt')
    assert.equal(says('/a must not have fewer than 1 items'), '/a darf nicht leer sein')
    assert.equal(says('A picture of the document is cut off'), 'Ein Bild des Zeugnisses ist beschädigt')
    assert.equal(
      says('This identity cannot sign: it is obsolete. The identity is revoked'),
      'Diese Identität kann nicht signieren. Die Identität ist widerrufen',
    )
    assert.equal(says('Something else'), 'Something else')
  })

  test('is found wherever it is written, and missed if it has no German text', () => {
    const planted = `
      throw new Problem('not_found', { details: [\`\${place} was eaten by the dog\`, 'It is gone for good'] })
      const { a } = { error: 'never seen' }
      throw new PdfError('refused', 'A page was torn')`
    const found = sentencesIn('planted.ts', planted)
    assert.deepEqual(found, [
      '7 was eaten by the dog',
      'It is gone for good',
      'never seen',
      'A page was torn',
    ])
    assert.deepEqual(withoutGerman(found), found)
  })
})

const brokenTexts = [
  '',
  '{} x',
  '{a:1}',
  '{"a":1,"a":2}',
  '{"__proto__":1}',
  '[[[1]]]',
  '[1 2]',
  '{"a":1 "b":2}',
  '{"a" 1}',
  '"a',
  '"\n"',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u00g0"',
  '"\\x"',
  '[',
  'x',
  'nul',
  '12345678901234567890',
]

/** What ajv says where we have no words of our own. */
const messages = [
  'must be >= 5',
  'must be <= 5',
  'must be multiple of 5',
  'must match "then" schema',
  'must match exactly one schema in oneOf',
  'must match a schema in anyOf',
  'must NOT be valid',
  'must NOT have fewer than 1 characters',
  'must NOT have more than 1 characters',
  'must NOT have fewer than 1 items',
  'must NOT have more than 1 items',
  'must NOT have fewer than 1 properties',
  'must NOT have more than 1 properties',
  'must contain at least 1 valid item(s)',
]
