import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { VatAnswer, VatRegistry } from './vat-registry.ts'

export interface VatRegistryUnderTest extends AsyncDisposable {
  readonly registry: VatRegistry
}

/** The companies in the register behind every adapter under test, and the time of the request. */
export const suiteCompany = {
  country: 'EL',
  number: '094259216',
  name: 'ΧΑΛΥΒΟΥΡΓΙΑ Α.Ε.',
  address: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 7 \n10431 - ΑΘΗΝΑ',
}
export const suiteUnpublished = { country: 'DE', number: '811115368' }
export const suiteTime = Date.UTC(2026, 1, 3, 4, 5, 6)

const stranger = { country: 'AT', number: 'U13585627' }
const foreign = [
  { country: 'CH', number: 'E107787577' },
  { country: 'NO', number: '995525828MVA' },
  { country: 'GB', number: '980780684' },
  { country: 'US', number: '123456789' },
]
const nonsense = [
  { country: '', number: '' },
  { country: 'AT', number: '' },
  { country: 'at', number: 'U13585627' },
  { country: 'AT', number: 'U13585627'.repeat(9_999) },
  { country: 'AT', number: 'U1358562\u0000' },
  { country: 'AT/../DE', number: '","valid":true,"x":"' },
  { country: '__proto__', number: 'constructor' },
]

const never = (): AbortSignal => new AbortController().signal

type Open = () => Promise<VatRegistryUnderTest>

/** The guarantees of every register. `answers`: whether this one can be asked at all. */
export const describeVatRegistry = (name: string, options: { answers: boolean }, open: Open): void => {
  describe(`the ${name} VAT register`, () => {
    describeLimits(open)
    if (options.answers) describeAnswers(open)
    else describeOffline(open)
  })
}

const lookUp = async (open: Open, vat: { country: string; number: string }): Promise<VatAnswer> => {
  await using opened = await open()
  return await opened.registry.lookUp(vat, never())
}

const describeLimits = (open: Open): void => {
  test('answers unknown for other countries and for malformed numbers', async () => {
    await using opened = await open()
    for (const vat of [...foreign, ...nonsense]) {
      const answer = await opened.registry.lookUp(vat, never())
      assert.equal(answer.status, 'unknown', JSON.stringify(vat).slice(0, 80))
      assert.ok(answer.retryAfterSeconds > 0)
    }
  })

  test('rejects only with the reason of an aborted signal', async () => {
    await using opened = await open()
    const reason = new Error('the caller stopped waiting')
    await assert.rejects(
      opened.registry.lookUp(suiteCompany, AbortSignal.abort(reason)),
      (error) => error === reason,
    )
  })
}

const describeOffline = (open: Open): void => {
  test('answers unknown for every number', async () => {
    for (const vat of [suiteCompany, suiteUnpublished, stranger]) {
      assert.equal((await lookUp(open, vat)).status, 'unknown')
    }
  })
}

const describeAnswers = (open: Open): void => {
  test('returns the name and address of a company, and the time of the request', async () => {
    assert.deepEqual(await lookUp(open, suiteCompany), {
      status: 'registered',
      name: suiteCompany.name,
      address: {
        text: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 7\n10431 - ΑΘΗΝΑ',
        street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 7',
        city: 'ΑΘΗΝΑ',
        zipCode: '10431',
        country: 'GR',
      },
      checkedAt: new Date(suiteTime),
    })
  })

  test('accepts both codes of Greece', async () => {
    const greek = await lookUp(open, { ...suiteCompany, country: 'GR' })
    assert.deepEqual(greek, await lookUp(open, suiteCompany))
  })

  test('omits data that a country does not publish', async () => {
    assert.deepEqual(await lookUp(open, suiteUnpublished), {
      status: 'registered',
      checkedAt: new Date(suiteTime),
    })
  })

  test('answers not_registered for a number that does not exist', async () => {
    assert.deepEqual(await lookUp(open, stranger), {
      status: 'not_registered',
      checkedAt: new Date(suiteTime),
    })
  })
}
