import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32, inflateRawSync } from 'node:zlib'
import { faultsOfScreen, twoFrames } from '../../../test/console-faults.ts'
import { assertAccessible, assertNoSidewaysScroll, consoleOfFile } from '../../../test/console.ts'
import {
  certificateText,
  heading,
  type Mill,
  openMill,
  savedBytes,
  scrollOn,
  upload,
} from '../../../test/console-mill.ts'
import { newOwner } from '../../../test/machines.ts'
import { fillCertificates } from '../../../test/many-certificates.ts'
import { signUp } from '../../../test/people.ts'
import { endedNotarization } from '../../../test/signers.ts'

let mill: Mill
const { console, skip } = consoleOfFile({
  async prepare({ server }) {
    mill = await openMill(server, 'mill')
  },
})

/** The files of an archive by their names, each with the sum that the archive says. */
const filesIn = (zip: Buffer): ReadonlyMap<string, Buffer> => {
  const found = new Map<string, Buffer>()
  let offset = 0
  while (zip.readUInt32LE(offset) === 0x04_03_4b_50) {
    const [packed, size] = [zip.readUInt32LE(offset + 18), zip.readUInt32LE(offset + 22)]
    const start = offset + 30 + zip.readUInt16LE(offset + 26)
    const bytes = zip.subarray(start, start + packed)
    const content = zip.readUInt16LE(offset + 8) === 0 ? bytes : inflateRawSync(bytes)
    assert.equal(content.length, size)
    assert.equal(crc32(content), zip.readUInt32LE(offset + 14))
    found.set(zip.subarray(offset + 30, start).toString('utf8'), content)
    offset = start + packed
  }
  return found
}

describe('the list of certificates', { skip }, () => {
  test('finds a certificate by its heat with the keyboard alone, and its address leads a colleague to the same', async () => {
    await mill.notarize({ number: 'H-1', heat: '880017' })
    await mill.notarize({ number: 'H-2', heat: '990018' })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, '/certificates')
    await page.getByRole('link', { name: 'H-2' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('880017')
    await page.getByRole('link', { name: 'H-2' }).waitFor({ state: 'detached' })
    assert.match(page.url(), /q=.*880017/)
    await page.getByText('1 certificate', { exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await heading(page, 'H-1').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'H-1' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'H-2' }).count(), 0)
    console.assertNoErrors()
  })

  test('shows whole orders and heats at 1280 px, however many heats there are', async () => {
    const text = certificateText({ number: 'W-HOLE', heat: '46423/02, 01/0004999/9, 46423/01, 01/0005004/9' })
    const { jobId } = await mill.client.notarizeCertificate({
      company: mill.company.id,
      query: { mode: 'test', identity: mill.identity.id },
      document: new Blob([text.replace('PO-4711', '4500018231-00010')], { type: 'application/json' }),
    })
    await endedNotarization(mill.client, { company: mill.company.id, jobId })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, '/certificates?q=W-HOLE')
    await page.getByRole('gridcell', { name: /^46423\/02, 01\/0004999\/9 \+\d$/ }).waitFor()
    await page.getByRole('gridcell', { name: '4500018231-00010', exact: true }).waitFor()
    for (const width of [1280, 1366, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const cut = await page.evaluate<readonly string[]>(
        `${twoFrames}.then(() => [...document.querySelectorAll('.rows .heat, .rows .order, .rows .number')]
          .filter((cell) => cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight)
          .map((cell) => cell.textContent))`,
      )
      assert.deepEqual(cut, [], `${width} px`)
    }
    console.assertNoErrors()
  })

  test('shows the heat, and is sorted by a press on a heading, which the address keeps', async () => {
    for (const [number, heat] of [
      ['S-9', '440001'],
      ['S-10', '440002'],
    ] as const)
      await mill.notarize({ number, heat })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, '/certificates?q=44000')
    const first = page.getByRole('grid').getByRole('link').first()
    await first.and(page.getByText('S-10')).waitFor()
    await page.getByRole('gridcell', { name: '440002' }).waitFor()
    await page.getByRole('columnheader', { name: 'Number' }).getByRole('button').press('Enter')
    await first.and(page.getByText('S-9')).waitFor()
    assert.match(page.url(), /sort=number/)
    await page.reload()
    await first.and(page.getByText('S-9')).waitFor()
    await page.getByRole('columnheader', { name: 'Number' }).getByRole('button').click()
    await first.and(page.getByText('S-10')).waitFor()
    await page.locator('[aria-sort=descending]').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Sort by: Number ▼' }).click()
    await page.getByRole('menuitemradio', { name: 'Customer ▲' }).click()
    await page.waitForURL(/sort=party/)
    // Rows are pale until the list has the new order.
    await page.locator('.certificates[aria-busy=false]').waitFor()
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
    console.assertNoErrors()
  })

  test('saves what it finds as CSV, and the files of the selected ones as an archive', async () => {
    await mill.notarize({ number: 'E-1', heat: '660001' })
    await mill.notarize({ number: 'E-2', heat: '660002' })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, '/certificates?q=66000')
    await page.getByRole('link', { name: 'E-1' }).waitFor()
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    const lines = (await savedBytes(table)).toString('utf8').trim().split('\r\n')
    assert.match(lines[0] ?? '', /"Number","Kind"/)
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(',', 3)),
      ['E-2', 'E-1'].map((number) => [`"${number}"`, '"EN 10168"', '"1.0.0"']),
    )
    await page.getByRole('grid').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    const [archive] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download PDFs and JSONs' }).click(),
    ])
    const saved = filesIn(await savedBytes(archive))
    assert.deepEqual([...saved.keys()], ['E-1.json', 'E-1.pdf', 'E-2.json', 'E-2.pdf'])
    assert.match(saved.get('E-1.json')?.toString('utf8') ?? '', /"B07":"660001"/)
    assert.equal(saved.get('E-2.pdf')?.subarray(0, 5).toString('latin1'), '%PDF-')
    console.assertNoErrors()
  })

  test('scrolls through ten thousand certificates without a blank row', async () => {
    const { company } = await newOwner(console.server, 'large-mill')
    await fillCertificates(
      { connectionString: console.server.config.databaseUrl },
      {
        rows: 10_001,
        companyId: company.id,
        smallCompanyId: mill.company.id,
      },
    )
    const page = await console.open()
    await console.signIn(page, { username: 'large-mill' }, '/certificates')
    await page.getByRole('gridcell').first().waitFor()
    let seen = 0
    for (let step = 0; seen < 10_000; step += 1) {
      assert.ok(step < 1_000, `only ${seen} rows after ${step} steps`)
      const { blank, last } = await scrollOn(page)
      assert.equal(blank, null, `a blank row at ${blank} px after ${seen} rows`)
      seen = Math.max(seen, last)
    }
    console.assertNoErrors()
  })
})

describe('one certificate', { skip }, () => {
  test('shows its life and proof, and is withdrawn with a reason that everybody can read', async () => {
    await mill.notarize({ number: 'W-1', heat: '770001' })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, '/certificates?q=W-1')
    await page.getByRole('link', { name: 'W-1' }).click()
    await page.getByText('Recorded on the ledger').waitFor()
    await page.getByText(/It has not been withdrawn or replaced/).waitFor()
    const [bundle] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Proof bundle' }).click(),
    ])
    assert.match((await savedBytes(bundle)).toString('utf8'), /"formatVersion": 3/)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    const dialog = page.getByRole('alertdialog')
    const withdraw = dialog.getByRole('button', { name: 'Withdraw' })
    await dialog.getByText(/This cannot be undone/).waitFor()
    await dialog.getByLabel('Type W-1 to confirm').fill('W-1')
    assert.equal(await withdraw.isDisabled(), true, 'without a reason')
    await dialog.getByLabel(/Reason/).fill('Tested again')
    await withdraw.click()
    await page.getByText('It was withdrawn: Tested again').waitFor()
    await page.getByRole('link', { name: 'Replace', exact: true }).waitFor({ state: 'detached' })
    console.assertNoErrors()
  })

  test('is mailed again after a word of what will happen, and its life shows the mail', async () => {
    const id = await mill.notarize({ number: 'M-1', heat: '770004' })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, `/certificates/${id}`)
    await page.getByRole('button', { name: 'Mail again' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(/sent once more to your contacts/).waitFor()
    await dialog.getByRole('button', { name: 'Mail again' }).click()
    await page.getByText(/on (?:its|their) way/).waitFor()
    await page.getByText('Sent again').first().waitFor()
    const mails = await console.server.mailsTo(mill.admin.email, 2, /M-1/)
    assert.equal(mails.length, 2)
    console.assertNoErrors()
  })

  test('is replaced by another one, and leads to it', async () => {
    const old = await mill.notarize({ number: 'R-1', heat: '770002' })
    await mill.notarize({ number: 'R-2', heat: '770003' })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, `/certificates/${old}`)
    await page.getByRole('link', { name: 'Replace', exact: true }).click()
    await page.getByRole('button', { name: 'One that is notarized already' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel(/Search for/).fill('770003')
    await dialog.getByRole('radio', { name: /R-2/ }).press(' ')
    await dialog.getByRole('radio', { name: /R-2/, checked: true }).waitFor()
    await dialog.getByLabel(/Reason/).fill('The heat was mistyped')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('link', { name: 'Show the certificate that replaces it' }).click()
    await heading(page, 'R-2').waitFor()
    console.assertNoErrors()
  })

  test('offers a reader nothing that would be refused, and the refused call is refused', async () => {
    const id = await mill.notarize({ number: 'L-1' })
    const reader = await signUp(console.server, 'reader')
    await console.server.client(mill.admin.accessToken).addMember({
      params: { id: mill.company.id },
      body: { email: reader.email, role: 'read_only' },
    })
    const page = await console.open()
    await console.signIn(page, { username: 'reader' }, `/certificates/${id}`)
    await page.getByRole('button', { name: 'Proof bundle' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Withdraw' }).count(), 0)
    for (const name of ['Replace', 'Use as a template'])
      assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name)
    await page.goto(`${console.server.url}/console/certificates`)
    await page.getByRole('link', { name: 'L-1' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'New certificate' }).count(), 0)
    assert.equal(await page.getByText('Drop JSON files').count(), 0)
    await page.goto(`${console.server.url}/console/new`)
    await page.getByRole('heading', { name: 'You can read certificates here' }).waitFor()
    const status = await page.evaluate<number>(`fetch('/api/certificates/${id}/withdraw', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-millseal-console': '1', company: '${mill.company.id}' },
      body: '{"reason":"None"}',
    }).then((response) => response.status)`)
    assert.equal(status, 403)
    console.assertNoErrors()
  })
})

describe('the screens of certificates', { skip }, () => {
  test('fit every window and are accessible in both themes while files are chosen, lines marked and a proof opened', async () => {
    const id = await mill.notarize({ number: 'A-accessible' })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, '/new')
    await page.getByRole('heading', { name: 'Drop JSON files' }).waitFor()
    await upload(page, [
      { name: 'broken.json', text: '{' },
      { name: 'whole.json', text: certificateText({ number: 'Z-accessible' }) },
    ])
    await page.getByRole('button', { name: 'Notarize 1 certificate' }).waitFor()
    assert.deepEqual(await faultsOfScreen(page), [])
    await page.goto(`${console.server.url}/console/certificates`)
    await page.getByRole('link', { name: 'A-accessible' }).waitFor()
    await page.getByRole('checkbox').first().check()
    assert.deepEqual(await faultsOfScreen(page), [])
    await page.goto(`${console.server.url}/console/certificates/${id}`)
    await page.getByText('Recorded on the ledger').waitFor()
    await page.getByText('Hashes, key, entry and proof').click()
    assert.deepEqual(await faultsOfScreen(page), [])
    console.assertNoErrors()
  })
})
