import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { sampleCertificate } from '../../../test/certificates.ts'
import { keyboard } from '../../../test/console-hand.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { certificateText, drop, heading, openMill, upload } from '../../../test/console-mill.ts'
import { eventually } from '../../../test/eventually.ts'

const { console, skip } = consoleOfFile()

/** Two hundred checks and notarizations take long on a busy machine. */
const patienceMs = 400_000

describe('many files', { skip }, () => {
  const valid = Array.from({ length: 190 }, (_, index) => ({
    name: `valid-${index}.json`,
    text: certificateText({ number: `V-${index}` }),
  }))
  const invalid = Array.from({ length: 10 }, (_, index) => {
    const sample = sampleCertificate({ number: `X-${index}` })
    const text = JSON.stringify({
      ...sample,
      Certificate: {
        ...sample.Certificate,
        Validation: { ...sample.Certificate.Validation, Z02: 'yesterday' },
      },
    })
    return { name: `invalid-${index}.json`, text: index === 9 ? text.slice(0, -9) : text }
  })
  const files = [...valid.slice(0, 100), ...invalid, ...valid.slice(100)]

  test('200 at once, ten invalid, by keyboard alone: the tab is closed in the middle and opened again, 190 are notarized once each', async () => {
    const { client, company } = await openMill(console.server, 'many-files')
    const page = await console.open()
    const context = page.context()
    context.setDefaultTimeout(patienceMs)
    await console.signIn(page, { username: 'many-files' }, '/certificates')
    await heading(page, 'Certificates').waitFor()
    await keyboard.press(page.getByRole('link', { name: 'New certificate' }).first())
    await heading(page, 'New certificate').waitFor()
    const chooser = page.waitForEvent('filechooser')
    await keyboard.press(page.getByRole('button', { name: 'Choose files' }))
    await (await chooser).setFiles(
      files.map(({ name, text }) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })),
    )
    await page.getByRole('button', { name: 'To be corrected 10' }).waitFor()
    const seal = page.getByRole('button', { name: 'Notarize 190 certificates' })
    await seal.waitFor()

    // The first 60 get through; of the next ones the server takes the request and the tab never hears the answer.
    let sent = 0
    await context.route('**/api/certificates/notarize?**', async (route: Route) => {
      sent += 1
      if (sent <= 60) await route.continue()
      else if (sent <= 62) await route.fetch()
    })
    await keyboard.press(seal)
    await eventually(() => sent > 62, { what: 'the middle of the work' })
    await page.getByText(/^\d+ of 190 recorded$/).waitFor()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()

    const again = await context.newPage()
    await again.goto(`${console.server.url}/console/new`)
    await again.getByText('190 certificates recorded.').waitFor()
    await keyboard.press(again.getByRole('button', { name: 'To be corrected 10' }))
    await again.getByText('X-0', { exact: true }).waitFor()
    const rows = again.getByRole('table').getByRole('row')
    assert.equal(await rows.count(), 11)
    for (let index = 0; index < 9; index += 1)
      assert.match(
        (await rows.filter({ hasText: `invalid-${index}.json` }).textContent()) ?? '',
        /To be corrected.*Validation › Z02 must be a date/,
      )
    await rows.filter({ hasText: 'invalid-9.json' }).getByText('This is not JSON').waitFor()

    const all = await client.listCertificates({
      company: company.id,
      query: { mode: 'test', limit: 1_000 },
    })
    assert.deepEqual(
      new Set(all.map(({ summary }) => summary?.identifier)),
      new Set(valid.map((_, index) => `V-${index}`)),
    )
    assert.equal(all.length, 190)
    assert.ok(all.every(({ state }) => state === 'notarized'))
    await keyboard.press(again.getByRole('button', { name: 'Recorded 190' }))
    await keyboard.press(again.getByRole('link', { name: 'Open V-0', exact: true }))
    await heading(again, 'V-0').waitFor()
    console.assertNoErrors()
  })

  test('a corrected file takes the place of the refused one, and the same certificate twice is notarized once', async () => {
    await openMill(console.server, 'corrector')
    const page = await console.open()
    await console.signIn(page, { username: 'corrector' }, '/certificates')
    await heading(page, 'Certificates').waitFor()
    await drop(page, invalid.slice(0, 1))
    await heading(page, 'New certificate').waitFor()
    await page.getByRole('button', { name: 'To be corrected 1' }).waitFor()
    const corrected = { name: 'invalid-0.json', text: certificateText({ number: 'X-0' }) }
    await upload(page, [corrected, { ...corrected, name: 'copy.json' }])
    await page.getByRole('button', { name: 'Notarize' }).click()
    await page.getByText('1 certificate recorded.').waitFor()
    await page.getByText('This is the same certificate as invalid-0.json. It is notarized once.').waitFor()
    assert.equal(await page.getByRole('table').getByRole('row').count(), 3)
    console.assertNoErrors()
  })
})
