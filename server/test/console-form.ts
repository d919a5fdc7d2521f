import type { Locator, Page } from 'playwright-core'
import type { Console } from './console.ts'
import { foundCompany, type Person, signUp } from './people.ts'

export type Clerk = Person & { readonly company: string }

/** A person whose company can notarize in test mode. */
export const newClerk = async ({ server }: Pick<Console, 'server'>, username: string): Promise<Clerk> => {
  const person = await signUp(server, username)
  const { id: company } = await foundCompany(server, person)
  const client = server.client(person.accessToken)
  const query = { mode: 'test' } as const
  const wallet = await client.createWallet({ company, query, body: { name: 'Keys' } })
  await client.createIdentity({ company, query, body: { coinType: 822, account: 0, wallet: wallet.id } })
  return { ...person, company }
}

/** A logo of one grey pixel. */
export const pixel = {
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    'base64',
  ),
}

export const at = (page: Page, pointer: string): Locator => page.locator(`[data-pointer="${pointer}"]`)

/** Puts a text into the clipboard, as a spreadsheet would, and pastes it where the focus is. */
export const paste = async (page: Page, rows: readonly (readonly string[])[]): Promise<void> => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const text = rows.map((row) => row.join('\t')).join('\n')
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('Control+v')
}

const transaction = '/Certificate/CommercialTransaction'

/** Everything that an EN 10168 certificate needs, except its tests. */
export const fillSteel = async (page: Page, number: string): Promise<void> => {
  await page.getByRole('button', { name: 'Fill in Rolling Mill' }).first().click()
  const purchaser = at(page, `${transaction}/A06`)
  for (const [label, text] of [
    ['Name', 'Bridge Works'],
    ['Street', 'Girder Road 2'],
    ['Zip code', '10115'],
    ['City', 'Bridgetown'],
    ['Country', 'DE'],
  ] as const)
    await purchaser.getByLabel(label).fill(text)
  for (const [code, text] of [
    ['A02', 'EN 10204 3.1'],
    ['A03', number],
    ['A05', 'Works inspection'],
    ['A07', 'PO-4711'],
    ['B01', 'Hot rolled plate'],
    ['B02', 'EN 10025-2 S355J2+N'],
  ] as const)
    await page.getByRole('textbox', { name: code }).fill(text)
  await at(page, `${transaction}/A04`).locator('input[type=file]').setInputFiles(pixel)
  await page.getByLabel('Statement of compliance').fill('The product conforms to the order.')
  await page.getByLabel('Date of issue').fill('2026-11-22')
}

const valueFor = (pointer: string, type: string | null, mode: string | null): string => {
  if (type === 'date') return '2026-11-22'
  if (mode === 'decimal') return '1'
  if (/Country/.test(pointer)) return 'AT'
  if (/Email/.test(pointer)) return 'quality@mill.example'
  if (pointer.endsWith('Version')) return '1.0.0'
  return 'Text 1'
}

/** Fills in what the form marks as required until nothing of it is empty. Returns how many fields there were. */
export const fillRequired = async (page: Page): Promise<number> => {
  let filled = 0
  for (const choice of await page.locator('.form .field .select').all()) {
    await choice.click()
    await page.getByRole('listbox').getByRole('option').first().click()
    filled += 1
  }
  for (const picture of await page.locator('.form input[type=file]').all()) await picture.setInputFiles(pixel)
  const fields = page.locator('.form .field :is(input, textarea):is([required], [aria-required=true])')
  for (const field of await fields.all()) {
    const pointer =
      (await field.locator('xpath=ancestor::*[@data-pointer][1]').getAttribute('data-pointer')) ?? ''
    if (/ChemicalAnalysis/.test(pointer)) continue
    await field.fill(
      valueFor(pointer, await field.getAttribute('type'), await field.getAttribute('inputmode')),
    )
    filled += 1
  }
  return filled
}
