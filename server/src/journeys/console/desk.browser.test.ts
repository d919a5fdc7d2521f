import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findViolations } from '../../../test/axe.ts'
import { sampleCertificate } from '../../../test/certificates.ts'
import { keyboard } from '../../../test/console-hand.ts'
import { drop, heading, type NamedFile } from '../../../test/console-mill.ts'
import { assertNoSidewaysScroll, consoleOfFile } from '../../../test/console.ts'
import { answered, deskEventsOf, deskOf, openSupplier, type Supplier } from '../../../test/desk.ts'
import type { Owner } from '../../../test/machines.ts'
import { notarizeSample } from '../../../test/offline.ts'
import { signUp } from '../../../test/people.ts'

const { console, skip } = consoleOfFile()

const rules = [
  { of: 'C', max: '0.20', unit: '%' },
  { of: 'Mn', max: '1.60', unit: '%' },
  { of: 'Rm', min: '470', unit: 'MPa' },
]

const withoutManganese = (number: string) => {
  const sample = sampleCertificate({ number })
  const { C73: _, ...composition } = sample.Certificate.Inspection.ChemicalComposition
  const Inspection = { ...sample.Certificate.Inspection, ChemicalComposition: composition }
  return { ...sample, Certificate: { ...sample.Certificate, Inspection } }
}

const withCarbon = (number: string, value: string) => {
  const sample = sampleCertificate({ number })
  sample.Certificate.Inspection.ChemicalComposition.C71.Actual.Value = value
  return sample
}

describe('the desk in the console', { skip }, () => {
  let supplier: Supplier
  before(async () => {
    if (skip === false) supplier = await openSupplier(console.server, 'truck-mill')
  })

  const fileOf = async (certificate: { readonly Certificate: object }): Promise<NamedFile> => {
    const { text, summary } = await notarizeSample(supplier.client, {
      company: supplier.mill.company.id,
      identity: supplier.identity,
      certificate,
    })
    return { name: `${summary?.identifier}.json`, text }
  }

  /** Three good ones, and three that are wrong in three ways. */
  const loadTruck = async (owner: Owner, lot = 'T'): Promise<readonly NamedFile[]> => {
    const { id, text } = await supplier.notarize(owner, `${lot}-CHANGED`)
    await answered(console.server, owner, id)
    const good = [1, 2, 3].map((at) => fileOf(sampleCertificate({ number: `${lot}-${at}` })))
    return [
      ...(await Promise.all(good)),
      await fileOf(withCarbon(`${lot}-CARBON`, '0.24')),
      await fileOf(withoutManganese(`${lot}-MISSING`)),
      { name: 'changed.json', text: text.replace('"Value":377', '"Value":397') },
    ]
  }

  const openDesk = async (name: string, options?: Parameters<typeof console.open>[0]) => {
    const owner = await supplier.newReceiver(name)
    const ours = deskOf(console.server, owner)
    await ours.client.keepRequirement({ company: owner.company.id, body: { name: 'Plate', rules } })
    const page = await console.open(options)
    await console.signIn(page, owner.admin, '/desk')
    return { owner, ours, page, row: (number: string) => page.getByRole('row', { name: number }) }
  }

  test('a clerk at goods-in drops what came with a truck, of which three are wrong in three ways', async () => {
    const { owner, ours, page, row } = await openDesk('truck-works')
    const truck = await loadTruck(owner)
    await page.reload()
    await page.getByRole('button', { name: /Check new files against/ }).click()
    await page.getByRole('option', { name: 'Plate' }).click()
    await drop(page, truck)
    await row('T-1').getByText('3 of 3').waitFor()
    await row('T-CARBON').getByText('C 0.24 % is above the maximum 0.20 %', { exact: false }).waitFor()
    await row('T-MISSING').getByText('2 of 3').waitFor()
    await row('T-CHANGED').getByText('ReH: 377 MPa → 397 MPa in this file').waitFor()
    await page.getByRole('button', { name: /Do not accept\s*2/ }).waitFor()
    // The original of the changed one has no requirement, and is looked at as well.
    await page.getByRole('button', { name: /To look at\s*2/ }).waitFor()
    assert.deepEqual(await findViolations(page, { without: ['role-img-alt'] }), [])

    await page.getByRole('button', { name: 'Accept 3 that meet everything' }).click()
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await row('T-1').waitFor({ state: 'detached' })
    assert.equal((await ours.list({ state: 'accepted' })).length, 3)

    await page.getByRole('link', { name: 'T-CARBON' }).click()
    await heading(page, 'T-CARBON').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Accept', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Reject' }).click()
    const dialog = page.getByRole('alertdialog')
    assert.equal(await dialog.getByRole('button', { name: 'Reject' }).isDisabled(), true)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Carbon is too high')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Carbon is too high').waitFor()
    await page.getByText(/against Plate \([0-9a-f]{12}\)/).waitFor()
    assert.deepEqual(await findViolations(page, { without: ['role-img-alt'] }), [])

    await page.getByRole('button', { name: 'Take the decision back' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take the decision back' }).click()
    await page.getByRole('button', { name: 'Accept anyway' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Not load-bearing')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Accept anyway' }).click()
    await page.getByText('Not load-bearing').waitFor()
    const actions = (await deskEventsOf(console.server, owner.company.id)).map(({ action }) => action)
    assert.deepEqual(actions.slice(-3), ['reject_one', 'reopen_one', 'accept_one'])
    console.assertNoErrors()
  })

  test('a clerk accepts 37 of 40 that came with a truck and rejects three, by the keyboard alone', async () => {
    const { ours, page, row } = await openDesk('keyboard-works')
    const good = await Promise.all(
      Array.from({ length: 37 }, (_, at) => fileOf(sampleCertificate({ number: `K-${at + 101}` }))),
    )
    const wrong = [
      await fileOf(withCarbon('K-CARBON', '0.24')),
      await fileOf(withoutManganese('K-MISSING')),
      { name: 'K-UNKNOWN.json', text: JSON.stringify(sampleCertificate({ number: 'K-UNKNOWN' })) },
    ]
    await page.reload()
    await keyboard.press(page.getByRole('button', { name: /Check new files against/ }))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Plate' }).waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('button', { name: /Check new files against.*Plate|Plate.*Check new files/ })
      .waitFor()
    const chosen = page.waitForEvent('filechooser')
    await keyboard.press(page.getByRole('button', { name: 'Add files' }))
    await (await chosen).setFiles(
      [...good, ...wrong].map(({ name, text }) => ({
        name,
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      })),
    )
    await keyboard.press(page.getByRole('button', { name: 'Accept 37 that meet everything' }))
    const confirm = page.getByRole('alertdialog')
    await keyboard.reach(confirm.getByRole('button', { name: 'Accept', exact: true }))
    await page.keyboard.press('Space')
    await row('K-101').waitFor({ state: 'detached' })
    for (const [number, reason] of [
      ['K-CARBON', 'Carbon is too high'],
      ['K-MISSING', 'Manganese is missing'],
      ['K-UNKNOWN', 'Nobody notarized it'],
    ] as const) {
      await keyboard.press(page.getByRole('link', { name: number }))
      await heading(page, number).waitFor()
      await keyboard.press(page.getByRole('button', { name: 'Reject' }))
      await keyboard.write(confirm.getByRole('textbox', { name: 'Reason' }), reason)
      await keyboard.press(confirm.getByRole('button', { name: 'Reject' }))
      await page.getByText(reason).waitFor()
      await keyboard.press(page.getByRole('main').getByRole('link', { name: 'Goods in' }))
      await heading(page, 'Goods in').waitFor()
    }
    await page
      .getByText('Nothing to decide')
      .or(page.getByRole('button', { name: /To decide\s*0/ }))
      .first()
      .waitFor()
    const decided = async (state: string) => (await ours.list({ state, limit: 50 })).length
    assert.deepEqual([await decided('accepted'), await decided('rejected'), await decided('new')], [37, 3, 0])
    console.assertNoErrors()
  })

  test('on a phone, in German: open it, read why, decide', async () => {
    const { owner, ours, page } = await openDesk('phone-works', {
      locale: 'de-AT',
      viewport: { width: 390, height: 844 },
    })
    for (const { name, text } of await loadTruck(owner, 'P'))
      await ours.file(text, { against: 'Plate', fileName: name })
    await page.reload()
    await page.getByRole('link', { name: 'P-1' }).waitFor()
    await assertNoSidewaysScroll(page)
    assert.deepEqual(await findViolations(page, { without: ['role-img-alt'] }), [])
    await page.getByRole('link', { name: 'P-1' }).click()
    await page.getByText('Erfüllt es Ihre Bestellung?').waitFor()
    await assertNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Annehmen', exact: true }).click()
    await page.getByRole('button', { name: 'Entscheidung zurücknehmen' }).waitFor()
    const [accepted] = await ours.list({ state: 'accepted' })
    assert.equal(accepted?.summary.identifier, 'P-1')
    console.assertNoErrors()
  })

  test('a requirement is chosen for what was notarized for the company, and who may only read changes nothing', async () => {
    const { owner, page } = await openDesk('choosing-works')
    const { id } = await supplier.notarize(owner, 'T-NAMED')
    const { id: entry } = await answered(console.server, owner, id)
    await page.goto(`${console.server.url}/console/desk/${entry}`)
    await page.getByText('No requirement', { exact: true }).waitFor()
    await page.getByRole('button', { name: /Requirement/ }).click()
    await page.getByRole('option', { name: 'Plate' }).click()
    await page.getByText('Meets the requirement').waitFor()
    const reader = await signUp(console.server, 'desk-watcher')
    const params = { id: owner.company.id }
    const body = { email: reader.email, role: 'read_only' } as const
    await console.server.client(owner.admin.accessToken).addMember({ params, body })
    const theirs = await console.open()
    await console.signIn(theirs, reader, `/desk/${entry}`)
    await theirs.getByText('Meets the requirement').waitFor()
    for (const name of ['Accept', 'Reject', 'Archive'])
      assert.equal(await theirs.getByRole('button', { name, exact: true }).count(), 0)
    console.assertNoErrors()
  })
})
