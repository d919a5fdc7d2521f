import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/database.ts'
import { readCertificate } from '@millseal/families'
import { sampleCertificate } from '../../../../test/certificates.ts'
import type { Database } from '../../../ports/database/database.ts'
import { readTextQuery, wordsOf } from './search-words.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

const words = (changes: object): string => {
  const certificate = sampleCertificate({ number: 'X' })
  Object.assign(certificate.Certificate.CommercialTransaction, changes)
  return wordsOf(readCertificate(Buffer.from(JSON.stringify(certificate))))
}

test('marks on a letter cost what other letters cost, however many there are', () => {
  const processorMs = (marks: string): number => {
    const start = process.threadCpuUsage()
    words({ A03: `e${marks.repeat(20_000)}` })
    return process.threadCpuUsage(start).user / 1_000
  }
  const least = (marks: string): number => Math.min(...[1, 2, 3].map(() => processorMs(marks)))
  // Two kinds in turns, which Unicode sorts. In the square of their number they cost 200 times as much.
  assert.ok(least('\u0301\u0316') < 20 * least('ab') + 20)
  assert.equal(words({ A03: 'e\u0301\u0316\u0301' }).split(' ').includes('e'), true)
})

/** Whether the index proposes a certificate with these words, and whether it is one. */
const isFound = async (stored: string, text: string): Promise<boolean> => {
  const query = readTextQuery(text) ?? assert.fail('no words')
  const { rows } = await sql<{ proposed: boolean; matches: boolean }>`
    select text_grams(${stored}::text) @> ${[...query.grams]}::text[] as proposed,
      (' ' || ${stored}::text) like all (${[...query.patterns]}::text[]) as matches`.execute(database.query)
  const { proposed, matches } = rows[0] ?? assert.fail('no row')
  // What the index does not propose is never found.
  if (matches) assert.ok(proposed, `${text} in ${stored}`)
  return matches
}

describe('the words of a certificate', () => {
  test('are those of its summary and its heats, once each, and nothing else', () => {
    assert.equal(
      words({}),
      'x rolling mill bridge works hot rolled plate po 4711 po4711 10 dn 815 dn815 175508 1 1755081',
    )
  })

  test('have no case, no accents and no punctuation', () => {
    assert.match(words({ A03: 'ŁÓDŹ/Größe œuvre Ærø ΑΘΉΝΑ' }), /^lodz grosse lodzgrosse oeuvre aero αθηνα /)
    assert.match(words({ A03: '中厚钢板 5%_\\' }), /^中 厚 钢 板 中厚钢板 5 /)
  })

  test('are bounded in number and length', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `n${at}`).join(' ')
    assert.ok(words({ A03: many }).length <= 4_000)
    assert.equal(words({ A03: 'y'.repeat(500) }).split(' ')[0], 'y'.repeat(64))
  })
})

describe('a text that is searched', () => {
  test('finds every part of a word of three characters or more, and the beginning of every word', async () => {
    const stored = words({ A03: 'Grobblech-S355J2+N 𝒳' })
    const [word = ''] = stored.split(' ')
    for (let from = 0; from < word.length; from += 1)
      for (let to = from + 1; to <= word.length; to += 1) {
        const part = word.slice(from, to)
        const isExpected = part.length > 2 || from === 0 || new RegExp(` ${part}`).test(` ${stored}`)
        assert.equal(await isFound(stored, part), isExpected, part)
      }
  })

  test('has no special characters', async () => {
    const stored = words({ A03: 'AB-12' })
    for (const text of ['%%%', '___', '\\'] as const) assert.equal(readTextQuery(text), undefined)
    assert.equal(await isFound(stored, 'ab_12'), true, 'two words')
    assert.equal(await isFound('axb12', 'a_b'), false)
    assert.equal(await isFound(stored, 'b%12x'), false)
  })
})
