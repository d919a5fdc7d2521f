import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  compare,
  type Decimal,
  decimalText,
  greatest,
  halfUnit,
  least,
  minus,
  over,
  plus,
  rational,
  readDecimal,
  roundTo,
  type Rounding,
  times,
} from './decimal.ts'

const python = (source: string, input = ''): string => {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', source], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  return status === 0 ? stdout : assert.fail(stderr)
}

const hasPython = spawnSync('python3', ['--version']).status === 0
/** The cases of the General Decimal Arithmetic as CPython ships them with its own tests. */
const cases = (() => {
  if (!hasPython) return undefined
  const folder = python('import os, sysconfig; print(sysconfig.get_paths()["stdlib"])').trim()
  const file = join(folder, 'test/decimaltestdata/quantize.decTest')
  return existsSync(file) ? file : undefined
})()

const roundings: Readonly<Record<string, Rounding>> = { half_even: 'halfEven', half_up: 'halfUp' }

/** A number of a case; undefined for infinities, and for powers that no certificate has. */
const operand = (text: string): (Decimal & { exponent: number }) | undefined => {
  const [, mantissa = '', power = '0'] = /^'?([+-]?[\d.]+)(?:[eE]([+-]?\d+))?'?$/.exec(text) ?? []
  const decimal = readDecimal(`${mantissa.replace(/^([+-]?)\./, '$10.').replace(/\.$/, '')}e${power}`)
  const fraction = mantissa.split('.')[1] ?? ''
  return decimal === undefined ? undefined : { ...decimal, exponent: Number(power) - fraction.length }
}

describe('exact decimals', () => {
  test('round as all cases of quantize.decTest that apply', {
    skip: cases === undefined ? 'quantize.decTest of CPython is missing' : false,
  }, () => {
    let rounding = 'half_even'
    let count = 0
    for (const line of readFileSync(cases ?? '', 'utf8').split('\n')) {
      rounding = /^\s*rounding:\s*(\S+)/i.exec(line)?.[1]?.toLowerCase() ?? rounding
      const [, name, ...texts] = /^(\w+)\s+quantize\s+(\S+)\s+(\S+)\s+->\s+(\S+)/.exec(line) ?? []
      const [value, pattern, expected] = texts.map(operand)
      const rule = roundings[rounding]
      if (name === undefined || rule === undefined) continue
      if (value === undefined || pattern === undefined || expected === undefined) continue
      if (pattern.exponent > 0 || Math.abs(value.exponent) > 40 || pattern.exponent < -40) continue
      const rounded = roundTo(rational(value), -pattern.exponent, rule)
      assert.equal(compare(rational(rounded), rational(expected)), 0, `${line} (${rounding})`)
      assert.equal(rounded.places, -pattern.exponent)
      count += 1
    }
    assert.ok(count >= 337, `only ${count} cases apply`)
  })

  test('add, subtract, multiply, divide, average and round as the fractions of Python', {
    skip: hasPython ? false : 'python3 is missing',
  }, () => {
    let state = 20_261_128
    const random = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
    const number = (): string => {
      const text = decimalText({ digits: BigInt(random(2_000_000)) * 997n, places: random(7) })
      return random(4) === 0 ? `-${text}` : text
    }
    const rows = Array.from({ length: 10_000 }, () => [number(), number(), number(), String(random(5))])
    const expected = JSON.parse(python(judge, JSON.stringify(rows))) as readonly (readonly string[])[]
    for (const [index, row] of rows.entries()) {
      const [a, b, c] = row.map((text) => rational(readDecimal(text) ?? assert.fail(text)))
      if (a === undefined || b === undefined || c === undefined) assert.fail()
      const places = Number(row[3])
      const mean = over(plus(plus(a, b), c), { top: 3n, bottom: 1n }) ?? assert.fail()
      const divided = over(a, b)
      const results = [plus(a, b), minus(a, b), times(a, b), divided, mean, least(a, b), greatest(a, c)]
      const texts = [
        ...results.map((result) =>
          result === undefined ? '' : decimalText(roundTo(result, places, 'halfEven')),
        ),
        String(compare(plus(a, halfUnit({ digits: 0n, places })), b)),
      ]
      assert.deepEqual(texts, expected[index], row.join(' '))
    }
  })
})

const judge = `
import json, sys
from fractions import Fraction as F
def text(value, places):
    n = round(value * 10 ** places)
    digits = str(abs(n)).rjust(places + 1, '0')
    sign = '-' if n < 0 else ''
    return sign + (digits if places == 0 else digits[:-places] + '.' + digits[-places:])
out = []
for a, b, c, places in json.load(sys.stdin):
    a, b, c, places = F(a), F(b), F(c), int(places)
    results = [a + b, a - b, a * b, a / b if b else None, (a + b + c) / 3, min(a, b), max(a, c)]
    shifted = a + F(1, 2 * 10 ** places)
    out.append(['' if r is None else text(r, places) for r in results] + [str((shifted > b) - (shifted < b))])
json.dump(out, sys.stdout)
`
