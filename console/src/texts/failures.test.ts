import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { texts } from './de/common.ts'
import { inWords } from './in-words.ts'

const server = join(import.meta.dirname, '../../../server/src')

/** Where the reasons of failed deliveries and mails are written. */
const files = [
  'adapters/courier/undici/dialer.ts',
  'adapters/courier/undici/failure.ts',
  'adapters/courier/undici/undici.ts',
  'adapters/mailer/smtp.ts',
  'services/pipe/deliveries/daily-quota.ts',
  'services/pipe/deliveries/send-request.ts',
  'services/pipe/mails/send-mails.ts',
  'services/pipe/mails/write-mails.ts',
]

/** Sentences in quotes, with a number in place of what is written into them. */
const sentencesIn = (path: string): readonly string[] =>
  [...readFileSync(join(server, path), 'utf8').matchAll(/['`]((?:The|No answer|Not sent:) [^'`]+)['`]/g)].map(
    ([, sentence = '']) => sentence.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*(?:\}|$)/g, '7'),
  )

describe('the reason of a failed delivery or mail', () => {
  test('is in German in the German console, whatever it is', () => {
    const sentences = files.flatMap(sentencesIn)
    assert.ok(sentences.length > 20, `${sentences.length} sentences`)
    const unknown = sentences.filter((sentence) => inWords(sentence, texts.failures) === sentence)
    assert.deepEqual(unknown, [])
  })

  test('keeps its numbers, and stays as it is if nobody knows it', () => {
    assert.equal(
      inWords('The receiver answered 500', texts.failures),
      'Der Empfänger hat mit 500 geantwortet',
    )
    assert.equal(inWords('Something else', texts.failures), 'Something else')
  })
})
