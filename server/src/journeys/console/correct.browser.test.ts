import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { consoleOfFile } from '../../../test/console.ts'
import { certificateText, dropBytes, heading, type Mill, openMill } from '../../../test/console-mill.ts'

let mill: Mill
const { console, skip } = consoleOfFile({
  async prepare({ server }) {
    mill = await openMill(server, 'corrector')
  },
})

const opened = async (number: string): Promise<{ readonly page: Page; readonly id: string }> => {
  const id = await mill.notarize({ number, heat: '880001' })
  const page = await console.open()
  await console.signIn(page, { username: 'corrector' }, `/certificates/${id}`)
  await page.getByRole('link', { name: 'Replace', exact: true }).click()
  await heading(page, `Replace ${number}`).waitFor()
  return { page, id }
}
const fileOf = (number: string, heat: string) => ({
  name: `${number}.json`,
  type: 'application/json',
  bytes: Buffer.from(certificateText({ number, heat })),
})
const differences = (page: Page): Promise<string[]> =>
  page.locator('table.differences tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent ?? ''))
const corrections = async (id: string) => {
  const { corrections: found = [], replacedBy } = await mill.client.readCertificate({
    company: mill.company.id,
    params: { id },
  })
  return { replacedBy, reasons: found.map(({ reason }) => reason) }
}

describe('a clerk who finds a mistake in a certificate', { skip }, () => {
  test('writes the right one with its data, sees both, and replaces the wrong one by one button', async () => {
    const { page, id } = await opened('WRONG-1')
    await page.getByRole('link', { name: 'Write it with these data' }).click()
    await page.getByRole('textbox', { name: 'A03' }).fill('RIGHT-1')
    await page.getByRole('textbox', { name: 'B07' }).fill('880002')
    await page.getByRole('button', { name: 'Compare both' }).click()
    await heading(page, 'Replace WRONG-1').waitFor()
    await page.getByRole('region', { name: 'So far' }).getByText('880001').first().waitFor()
    await page.getByRole('region', { name: 'New' }).getByText('880002').first().waitFor()
    await page.getByRole('heading', { name: '2 differences' }).waitFor()
    const [number = '', heat = '', ...more] = await differences(page)
    assert.match(number, /^A03 .*WRONG-1RIGHT-1$/)
    assert.match(heat, /^B07 .*880001880002$/)
    assert.deepEqual(more, [])
    const act = page.getByRole('button', { name: 'Notarize and replace' })
    assert.equal(await act.isDisabled(), true, 'without a reason')
    await page.getByLabel(/Reason/).fill('The heat was mistyped')
    await act.click()
    await heading(page, 'RIGHT-1').waitFor()
    await page
      .getByText(/Recorded on the ledger/)
      .first()
      .waitFor()
    const next = page.url().split('/').at(-1)?.split('?')[0]
    assert.deepEqual(await corrections(id), { replacedBy: next, reasons: ['The heat was mistyped'] })
    await page.goto(`${console.server.url}/console/certificates/${id}`)
    await page.getByText('It was replaced: The heat was mistyped').waitFor()
    await page.getByRole('link', { name: 'Show the certificate that replaces it' }).click()
    await heading(page, 'RIGHT-1').waitFor()
    console.assertNoErrors()
  })

  test('drops the corrected file of the ERP, after others that are told what they are', async () => {
    const { page, id } = await opened('WRONG-2')
    await dropBytes(page, [{ name: 'photo.jpg', type: 'image/jpeg', bytes: Buffer.from([0xff, 0xd8, 0xff]) }])
    await page.getByText(/This is a picture/).waitFor()
    await dropBytes(page, [fileOf('WRONG-2', '880001')])
    await page.getByText(/Both say the same/).waitFor()
    await dropBytes(page, [fileOf('RIGHT-2', '880003')])
    await page.getByRole('heading', { name: '2 differences' }).waitFor()
    await page.getByText('1 certificate, in test mode').waitFor()
    await page.getByLabel(/Reason/).fill('Tested again')
    await page.getByRole('button', { name: 'Notarize and replace' }).click()
    await heading(page, 'RIGHT-2').waitFor()
    await page
      .getByText(/Recorded on the ledger/)
      .first()
      .waitFor()
    assert.deepEqual((await corrections(id)).reasons, ['Tested again'])
    await page.goto(`${console.server.url}/console/certificates/${id}/replace`)
    await page.getByText('It is replaced already.').waitFor()
    console.assertNoErrors()
  })

  test('is led back to the form by what is missing in the new one', async () => {
    const { page } = await opened('WRONG-3')
    const broken = JSON.parse(certificateText({ number: 'BAD-3' })) as {
      Certificate: { Validation?: unknown }
    }
    delete broken.Certificate.Validation
    await dropBytes(page, [
      { name: 'bad.json', type: 'application/json', bytes: Buffer.from(JSON.stringify(broken)) },
    ])
    await page.getByRole('heading', { name: 'The new certificate is to be corrected first' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Notarize and replace' }).count(), 0)
    console.assertNoErrors()
  })
})
