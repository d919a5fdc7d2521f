import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryNames } from './countries.ts'
import { vatRules } from './rules.ts'

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** Other regions in CLDR: reserved and private codes, unions, pseudo-regions. */
const noCountries = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ')

test('every country of ISO 3166-1 has a name, and no other code has', () => {
  const cldr = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const named = letters
    .flatMap((first) => letters.map((second) => first + second))
    // Withdrawn codes have the name of the country that replaced them.
    .filter((code) => cldr.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code)
  assert.equal(Object.keys(countryNames).length, 249)
  assert.deepEqual(
    named.filter((code) => !noCountries.includes(code)),
    Object.keys(countryNames),
  )
})

test('the names are the usual ones', () => {
  assert.equal(countryNames['AT'], 'Austria')
  assert.equal(countryNames['GR'], 'Greece')
  assert.equal(countryNames['GB'], 'United Kingdom')
  assert.equal(countryNames['EL'], undefined)
})

test('every VAT id belongs to a country with a name', () => {
  for (const { country } of vatRules.values()) assert.ok(countryNames[country] !== undefined, country)
})
