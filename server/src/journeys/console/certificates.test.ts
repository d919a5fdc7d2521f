import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { crc32, inflateRawSync } from 'node:zlib'
import { after, before, describe, test } from 'node:test'
import type { Identity } from '@millseal/contract'
import type { Download, Page, Route } from 'playwright-core'
import { sampleCertificate } from '../../../test/certificates.ts'
import {
  assertAccessible,
  assertNoSidewaysScroll,
  type Console,
  lacksChromium,
  startConsole,
} from '../../../test/console.ts'
import { eventually } from '../../../test/eventually.ts'
import { newOwner, type Owner } from '../../../test/machines.ts'
import { fillCertificates } from '../../../test/many-certificates.ts'
import { signUp } from '../../../test/people.ts'
import { endedNotarization, newIdentity } from '../../../test/signers.ts'

const skip = await lacksChromium()
let console: Console
let mill: Owner
let identity: Identity
before(async () => {
  if (skip !== false) return
  console = await startConsole()
  ;({ mill, identity } = await openMill('mill'))
})
after(async () => {
  if (skip === false) await console[Symbol.asyncDispose]()
})

/** A company with a public identity, ready for test mode. */
const openMill = async (username: string): Promise<{ mill: Owner; identity: Identity }> => {
  const owner = await newOwner(console.server, username)
  const client = console.server.client(owner.admin.accessToken)
  const made = await newIdentity(client, owner.company.id)
  await client.notarizeIdentity({
    company: owner.company.id,
    query: { mode: 'test' },
    params: { identityId: made.id },
  })
  return { mill: owner, identity: made }
}

type Sample = { readonly number: string; readonly heat?: string }

const certificateText = ({ number, heat = '175508' }: Sample): string => {
  const sample = sampleCertificate({ number })
  sample.Certificate.ProductDescription.B07 = heat
  return JSON.stringify(sample)
}

const notarize = async (sample: Sample): Promise<string> => {
  const client = console.server.client(mill.admin.accessToken)
  const company = mill.company.id
  const { jobId } = await client.notarizeCertificate({
    company,
    query: { mode: 'test', identity: identity.id },
    document: new Blob([certificateText(sample)], { type: 'application/json' }),
  })
  const { id } = await endedNotarization(client, { company, jobId })
  return id
}

type NamedFile = { readonly name: string; readonly text: string }

/** What a browser does when somebody drops files on the page. */
const drop = async (page: Page, files: readonly NamedFile[]): Promise<void> => {
  await page.evaluate(`{
    const dataTransfer = new DataTransfer()
    for (const { name, text } of ${JSON.stringify(files)})
      dataTransfer.items.add(new File([text], name, { type: 'application/json' }))
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }`)
}

const upload = (page: Page, files: readonly NamedFile[]): Promise<void> =>
  page
    .locator('input[type=file]')
    .setInputFiles(
      files.map(({ name, text }) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })),
    )

const savedBytes = async (download: Download): Promise<Buffer> => readFile(await download.path())

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

/** Scrolls by some windows, waits until it is drawn, and looks for a place of the list without a row. */
const scrollOn = `(async () => {
  const body = document.querySelector('.rows')
  window.scrollBy(0, window.innerHeight * 8)
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  await frame()
  await frame()
  const rows = [...body.children].map((row) => [row.getBoundingClientRect(), Number(row.getAttribute('aria-rowindex'))])
  const { top, bottom } = body.getBoundingClientRect()
  let last = 0
  for (let y = Math.max(0, top) + 5; y < Math.min(window.innerHeight, bottom) - 5; y += 10) {
    const row = rows.find(([place]) => place.top <= y && place.bottom >= y)
    if (row === undefined) return { blank: y, last }
    last = row[1] - 1
  }
  return { blank: null, last }
})()`

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

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

  test('200 at once, ten invalid: the tab is closed in the middle and opened again, 190 are notarized once each', async () => {
    const { mill: owner } = await openMill('many-files')
    const client = console.server.client(owner.admin.accessToken)
    const company = owner.company.id
    const page = await console.open()
    const context = page.context()
    await console.signIn(page, { username: 'many-files' }, '/certificates')
    await heading(page, 'Certificates').waitFor()
    await drop(page, files)
    await heading(page, 'New certificate').waitFor()
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
    await seal.click()
    await eventually(() => sent > 62, { what: 'the middle of the work' })
    await page.getByText(/^\d+ of 190 recorded$/).waitFor()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()

    const again = await context.newPage()
    await again.goto(`${console.server.url}/console/new`)
    await again.getByText('190 certificates recorded.').waitFor({ timeout: 300_000 })
    await again.getByRole('button', { name: 'To be corrected 10' }).click()
    await again.getByText('X-0', { exact: true }).waitFor()
    const rows = again.getByRole('table').getByRole('row')
    assert.equal(await rows.count(), 11)
    for (let index = 0; index < 9; index += 1)
      assert.match(
        (await rows.filter({ hasText: `invalid-${index}.json` }).textContent()) ?? '',
        /To be corrected.*Validation › Z02 must be a date/,
      )
    await rows.filter({ hasText: 'invalid-9.json' }).getByText('This is not JSON').waitFor()

    const all = await client.listCertificates({ company, query: { mode: 'test', limit: 1_000 } })
    assert.deepEqual(
      new Set(all.map(({ summary }) => summary?.identifier)),
      new Set(valid.map((_, index) => `V-${index}`)),
    )
    assert.equal(all.length, 190)
    assert.ok(all.every(({ state }) => state === 'notarized'))
    await again.getByRole('button', { name: 'Recorded 190' }).click()
    await again.getByRole('link', { name: 'Open V-0', exact: true }).click()
    await heading(again, 'V-0').waitFor()
    console.assertNoErrors()
  })

  test('a corrected file takes the place of the refused one, and the same certificate twice is notarized once', async () => {
    await openMill('corrector')
    const page = await console.open()
    await console.signIn(page, { username: 'corrector' }, '/new')
    await upload(page, invalid.slice(0, 1))
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

describe('the list of certificates', { skip }, () => {
  test('finds a certificate by its heat with the keyboard alone, and its address leads a colleague to the same', async () => {
    await notarize({ number: 'H-1', heat: '880017' })
    await notarize({ number: 'H-2', heat: '990018' })
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

  test('saves what it finds as CSV, and the files of the selected ones as an archive', async () => {
    await notarize({ number: 'E-1', heat: '660001' })
    await notarize({ number: 'E-2', heat: '660002' })
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
      const { blank, last } = await page.evaluate<{ blank: number | null; last: number }>(scrollOn)
      assert.equal(blank, null, `a blank row at ${blank} px after ${seen} rows`)
      seen = Math.max(seen, last)
    }
    console.assertNoErrors()
  })
})

describe('one certificate', { skip }, () => {
  test('shows its life and proof, and is withdrawn with a reason that everybody can read', async () => {
    await notarize({ number: 'W-1', heat: '770001' })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, '/certificates?q=W-1')
    await page.getByRole('link', { name: 'W-1' }).click()
    await page.getByText('Recorded in the ledger').waitFor()
    await page.getByText(/It has not been withdrawn or replaced/).waitFor()
    const [bundle] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Proof bundle' }).click(),
    ])
    assert.match((await savedBytes(bundle)).toString('utf8'), /"formatVersion": 2/)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    const dialog = page.getByRole('alertdialog')
    const withdraw = dialog.getByRole('button', { name: 'Withdraw' })
    await dialog.getByText(/This cannot be undone/).waitFor()
    await dialog.getByLabel('Type W-1 to confirm').fill('W-1')
    assert.equal(await withdraw.isDisabled(), true, 'without a reason')
    await dialog.getByLabel(/Reason/).fill('Tested again')
    await withdraw.click()
    await page.getByText('It was withdrawn: Tested again').waitFor()
    await page.getByRole('button', { name: 'Replace' }).waitFor({ state: 'detached' })
    console.assertNoErrors()
  })

  test('is replaced by another one, and leads to it', async () => {
    const old = await notarize({ number: 'R-1', heat: '770002' })
    await notarize({ number: 'R-2', heat: '770003' })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, `/certificates/${old}`)
    await page.getByRole('button', { name: 'Replace' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel(/Search for/).fill('770003')
    await dialog.getByRole('radio', { name: /R-2/ }).check({ force: true })
    await dialog.getByLabel(/Reason/).fill('The heat was mistyped')
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('link', { name: 'Show the certificate that replaces it' }).click()
    await heading(page, 'R-2').waitFor()
    console.assertNoErrors()
  })

  test('offers a reader nothing that would be refused, and the refused call is refused', async () => {
    const id = await notarize({ number: 'L-1' })
    const reader = await signUp(console.server, 'reader')
    await console.server.client(mill.admin.accessToken).addMember({
      params: { id: mill.company.id },
      body: { email: reader.email, role: 'read_only' },
    })
    const page = await console.open()
    await console.signIn(page, { username: 'reader' }, `/certificates/${id}`)
    await page.getByRole('button', { name: 'Proof bundle' }).waitFor()
    for (const name of ['Withdraw', 'Replace'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    assert.equal(await page.getByRole('link', { name: 'Use as a template' }).count(), 0)
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
  for (const colorScheme of ['light', 'dark'] as const)
    test(`are accessible on every width, ${colorScheme}`, async () => {
      const id = await notarize({ number: `A-${colorScheme}` })
      const page = await console.open({ colorScheme })
      await console.signIn(page, { username: 'mill' }, '/new')
      await page.getByRole('heading', { name: 'Drop JSON files' }).waitFor()
      await upload(page, [
        { name: 'broken.json', text: '{' },
        { name: 'whole.json', text: certificateText({ number: `Z-${colorScheme}` }) },
      ])
      await page.getByRole('button', { name: 'Notarize 1 certificate' }).waitFor()
      const check = async () => {
        for (const width of [360, 768, 1280, 2560]) {
          await page.setViewportSize({ width, height: 900 })
          await assertNoSidewaysScroll(page)
          await assertAccessible(page)
        }
      }
      await check()
      await page.goto(`${console.server.url}/console/certificates`)
      await page.getByRole('link', { name: `A-${colorScheme}` }).waitFor()
      await page.getByRole('checkbox').first().check()
      await check()
      await page.goto(`${console.server.url}/console/certificates/${id}`)
      await page.getByText('Recorded in the ledger').waitFor()
      await page.getByText('Hashes, key, entry and proof').click()
      await check()
      console.assertNoErrors()
    })
})
