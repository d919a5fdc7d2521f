import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { VatAnswer, VatRegistry } from './vat-registry.ts'

export interface VatRegistryUnderTest extends AsyncDisposable {
  readonly registry: VatRegistry
}

/** Who the register behind every adapter under test knows, and at what time it is asked. */
export const suiteCompany = {
  country: 'EL',
  number: '094259216',
  name: 'ΧΑΛΥΒΟΥΡΓΙΑ Α.Ε.',
  address: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 7 \n10431 - ΑΘΗΝΑ',
}
export const suiteSecretive = { country: 'DE', number: '811115368' }
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

/** What every register promises; `answers` tells whether this one can be asked at all. */
export const describeVatRegistry = (name: string, options: { answers: boolean }, open: Open): void => {
  describe(`the ${name} VAT register`, () => {
    promiseModesty(open)
    if (options.answers) promiseAnswers(open)
    else promiseSilence(open)
  })
}

const lookUp = async (open: Open, vat: { country: string; number: string }): Promise<VatAnswer> => {
  await using opened = await open()
  return await opened.registry.lookUp(vat, never())
}

const promiseModesty = (open: Open): void => {
  test('knows nothing of numbers that are not of its countries, or not numbers', async () => {
    await using opened = await open()
    for (const vat of [...foreign, ...nonsense]) {
      const answer = await opened.registry.lookUp(vat, never())
      assert.equal(answer.status, 'unknown', JSON.stringify(vat).slice(0, 80))
      assert.ok(answer.retryAfterSeconds > 0)
    }
  })

  test('rejects with the reason of a signal that has aborted, and with nothing else', async () => {
    await using opened = await open()
    const reason = new Error('nobody waits any more')
    await assert.rejects(
      opened.registry.lookUp(suiteCompany, AbortSignal.abort(reason)),
      (error) => error === reason,
    )
  })
}

const promiseSilence = (open: Open): void => {
  test('calls nobody registered and nobody not registered', async () => {
    for (const vat of [suiteCompany, suiteSecretive, stranger]) {
      assert.equal((await lookUp(open, vat)).status, 'unknown')
    }
  })
}

const promiseAnswers = (open: Open): void => {
  test('tells the name and the address of a company, and when it was asked', async () => {
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

  test('knows Greece under both of its names', async () => {
    const greek = await lookUp(open, { ...suiteCompany, country: 'GR' })
    assert.deepEqual(greek, await lookUp(open, suiteCompany))
  })

  test('leaves out what a country keeps back', async () => {
    assert.deepEqual(await lookUp(open, suiteSecretive), {
      status: 'registered',
      checkedAt: new Date(suiteTime),
    })
  })

  test('says of a number nobody has that it is not registered', async () => {
    assert.deepEqual(await lookUp(open, stranger), {
      status: 'not_registered',
      checkedAt: new Date(suiteTime),
    })
  })
}
