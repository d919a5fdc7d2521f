import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openTypeface } from '../../testing/fonts.ts'
import { isAtomic, textWidth, widestPart, wrap } from './wrap.ts'

const font = { typeface: await openTypeface(), weight: 'regular', size: 9 } as const

const words = fc.oneof(
  fc.stringMatching(/^[A-Za-zäöüß]{1,14}$/),
  fc.stringMatching(/^[A-Z]{2,6}-[A-Z]{2,6}\/[a-z]{2,9}$/),
  fc.constantFrom(
    '钢铁股份有限公司',
    'บริษัทเหล็กสยาม',
    'Μαγνητική',
    'e\u0301tale\u0301',
    'שלום',
    '·',
    '(',
    'S355J2+N',
  ),
  fc.stringMatching(/^[\w/.,;-]{20,60}$/),
)
const numbers = fc
  .tuple(
    fc.constantFrom('', '≥ ', '≤', '< ', '± ', '-', '>= '),
    fc.stringMatching(/^\d{1,6}$/),
    fc.constantFrom('', '.5', ',125', ' – 27', '-30', ' x 20'),
    fc.constantFrom('', ' %', ' MPa', ' N/mm²', ' °C', ' mm', ' kg'),
  )
  .map((parts) => parts.join(''))
const texts = fc
  .array(fc.tuple(fc.oneof(words, numbers), fc.constantFrom(' ', '  ', '\n', ' ')), { maxLength: 14 })
  .map((parts) => parts.flat().join(''))
const widths = fc.integer({ min: 12, max: 300 })

const withoutSpace = (text: string): string => text.replaceAll(/\s+/gu, '')

describe('the lines of a text', () => {
  test('are found with a few measurements of each character, in any script', () => {
    const long = [
      '钢铁股份有限公司',
      '钢 ',
      'a漢b字 ',
      'क्षत्रिय ',
      'บริษัทเหล็กสยาม',
      'abcdefgh',
      'abcd-efgh/',
      '· ',
      '- ',
      '≥ 5 ',
    ]
    for (const part of long) {
      const text = part.repeat(10_000 / part.length)
      let measured = 0
      const counting = {
        ...font.typeface,
        widthOf: (measuredText: string, weight: 'regular' | 'strong') => {
          measured += measuredText.length
          return font.typeface.widthOf(measuredText, weight)
        },
      }
      assert.ok(wrap(text, 250, { ...font, typeface: counting }).length > 10, part)
      assert.ok(measured <= 6 * text.length, `${part}: ${measured} characters of ${text.length} measured`)
    }
  })

  test('never divide the short name of a test, a grade or an element pair at its hyphen', () => {
    for (const token of [
      'ISO-V',
      'ISO-V-2',
      'X-ray',
      'DIN-EN',
      'Ni-Cr',
      'S355J2-N',
      'EN-GJL',
      'A/B',
      'KV/KU',
    ])
      for (const text of [token, `${token} 10`, `Charpy ${token}`]) {
        const narrowest = Math.max(...text.split(' ').map((part) => textWidth(part, font))) + 0.01
        for (const line of wrap(text, narrowest, font))
          assert.ok(text.split(' ').includes(line), `${text}: ${line}`)
        assert.equal(widestPart(text, font), narrowest - 0.01)
      }
    const long = wrap('Streckgrenze/Dehngrenze', textWidth('Streckgrenze/', font), font)
    assert.deepEqual(long, ['Streckgrenze/', 'Dehngrenze'])
  })

  test('have all characters of the text in order, and no space at their ends', () => {
    fc.assert(
      fc.property(texts, widths, (text, width) => {
        const lines = wrap(text, width, font)
        assert.equal(withoutSpace(lines.join('')), withoutSpace(text))
        // A paragraph that fits is left as it is.
        if (text.includes('\n') || lines.length === 1) return
        for (const line of lines) assert.equal(line, line.trim())
      }),
      { numRuns: 500, examples: [['บริษัทเหล็กสยาม 钢铁股份有限公司 ', 12]] },
    )
  })

  test('are not wider than allowed, unless a line is one thing that is never broken', () => {
    fc.assert(
      fc.property(texts, widths, (text, width) => {
        for (const line of wrap(text, width, font)) {
          const isWide = textWidth(line, font) > width + 1e-6
          assert.ok(
            !isWide || isAtomic(line) || [...line].length === 1,
            `${JSON.stringify(line)} in ${width}`,
          )
        }
      }),
      { numRuns: 500 },
    )
  })

  test('begin where the text breaks its lines, and are empty only there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(words, numbers), { minLength: 1, maxLength: 8 }),
        widths,
        (paragraphs, width) => {
          const lines = wrap(paragraphs.join('\n'), width, font)
          assert.deepEqual(
            lines,
            paragraphs.flatMap((one) => wrap(one, width, font)),
          )
          assert.ok(lines.every((line) => line.trim() !== ''))
        },
      ),
    )
    assert.deepEqual(wrap('a\n\nb', 50, font), ['a', '', 'b'])
  })

  test('never divide a number from its sign, operator, unit or range, whatever is beside it and however narrow', () => {
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 3 }),
        numbers,
        fc.array(words, { maxLength: 3 }),
        widths,
        (before, value, after, width) => {
          const text = [...before, ...(before.length > 0 ? ['='] : []), value, ...after].join(' ')
          // Words that end in a figure make a range of it, and a dot joins units.
          fc.pre(!before.at(-1)?.match(/[\d·]$/u) && after[0] !== '·')
          const lines = wrap(text, width, font)
          assert.ok(
            lines.some((line) => line.includes(value)),
            `${value} in ${JSON.stringify(lines)}`,
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  for (const whole of [
    '0.150',
    '-40 °C',
    '≥ 355 MPa',
    '<= 0,045 %',
    '10–20',
    '10 – 20 mm',
    '5 x 1500',
    '1’000.5 kg',
    '235 N/mm²',
    '+ 20 °C',
    '±0.5 mm',
    'MPa',
    '27 J/cm²',
    '2 x 30 x 4000 mm',
  ]) {
    test(`never divide ${whole}`, () => {
      assert.deepEqual(wrap(whole, 3, font), [whole])
      assert.equal(widestPart(whole, font), textWidth(whole, font))
    })
  }

  for (const [text, lines] of [
    ['Manufacturer address', ['Manufacturer', 'address']],
    ['Warmband-Stahlwerk', ['Warmband-', 'Stahlwerk']],
    ['Hersteller/Fabricant', ['Hersteller/', 'Fabricant']],
    ['tensile strength ≥ 355 MPa', ['tensile', 'strength', '≥ 355 MPa']],
    ['宝山钢铁股份有限', ['宝山钢铁股', '份有限']],
    ['EN-10204-3', ['EN-10204-3']],
    ['Thickness mm', ['Thickness', 'mm']],
    ['of Zug · MPa', ['of', 'Zug · MPa']],
    ['of Zug · Rm', ['of Zug ·', 'Rm']],
    ['in 5\tmm', ['in', '5\tmm']],
    [' '.repeat(30), ['']],
    ['1 - 2 - 3 - 4 - 5', ['1 - 2 - 3', '- 4 - 5']],
    ['Zugfestigkeit · N/mm²', ['Zugfestigkeit', '· N/mm²']],
    ['Thickness 10 – 20 mm', ['Thickness', '10 – 20 mm']],
  ] as const) {
    test(`break ${text} where people do`, () => {
      assert.deepEqual(wrap(text, Math.max(...lines.map((line) => textWidth(line, font))) + 0.1, font), lines)
    })
  }

  test('break Thai between words, and no letter apart from its marks', () => {
    const lines = wrap('บริษัทเหล็กสยามจำกัด', 45, font)
    const segments = [...new Intl.Segmenter('th', { granularity: 'word' }).segment('บริษัทเหล็กสยามจำกัด')]
    const starts = new Set(segments.map(({ index }) => index))
    let at = 0
    for (const line of lines) {
      assert.ok(starts.has(at), line)
      at += line.length
    }
    assert.ok(lines.length > 1)
    for (const line of wrap('e\u0301'.repeat(30), 20, font)) assert.match(line, /^(?:e\u0301)+$/u)
  })

  test('have room in the width of the widest part, without breaking a word', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = wrap(text, widestPart(text, font) + 1e-6, font)
        const broken = lines.filter((line) => textWidth(line, font) > widestPart(text, font) + 1e-3)
        assert.deepEqual(broken, [])
      }),
    )
    assert.deepEqual(wrap('a bb', widestPart('a bb', font), font), ['a', 'bb'])
  })

  test('may be more than a function takes as arguments, in any script', () => {
    for (const letters of ['宝山钢铁', 'אa', '-aaa'])
      assert.ok(wrap(letters.repeat(100_000), 20, font).length > 1_000)
    assert.ok(widestPart('宝山钢铁'.repeat(100_000), font) > 0)
  })

  test('do not begin with the space behind a word that is wider than a line', () => {
    for (let width = 20; width < 60; width += 0.5) {
      const lines = wrap('MMMMMMMMMMMMMMMMMMMM next one', width, font)
      assert.ok(
        lines.every((line) => line === line.trim() && line !== ''),
        JSON.stringify(lines),
      )
      assert.ok(wrap('MMMMMMMMMMMMMMMMMMMM ', width, font).every((line) => line !== ''))
    }
  })
})
