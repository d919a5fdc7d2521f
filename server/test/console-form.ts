import type { Locator, Page } from 'playwright-core'
import type { Console } from './console.ts'
import { type Hand, mouse } from './console-hand.ts'
import { foundCompany, type Person, signUp } from './people.ts'

export type Clerk = Person & { readonly company: string }

/** A member who issues certificates in test mode, and is no admin. */
export const newClerk = async ({ server }: Pick<Console, 'server'>, username: string): Promise<Clerk> => {
  const person = await signUp(server, username)
  const admin = await signUp(server, `${username}-admin`)
  const { id: company } = await foundCompany(server, admin)
  const client = server.client(admin.accessToken)
  await client.addMember({ params: { id: company }, body: { email: person.email, role: 'clerk' } })
  const query = { mode: 'test' } as const
  const wallet = await client.createWallet({ company, query, body: { name: 'Keys' } })
  await client.createIdentity({ company, query, body: { coinType: 822, account: 0, wallet: wallet.id } })
  return { ...person, company }
}

/** A logo of one grey pixel. */
const pixel = {
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    'base64',
  ),
}

const at = (page: Page, pointer: string): Locator => page.locator(`[data-pointer="${pointer}"]`)

/** Puts a text into the clipboard, as a spreadsheet would, and pastes it where the focus is. */
export const paste = async (page: Page, rows: readonly (readonly string[])[]): Promise<void> => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const text = rows.map((row) => row.join('\t')).join('\n')
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('Control+v')
}

const transaction = '/Certificate/CommercialTransaction'

/** Everything that an EN 10168 certificate needs, except its tests. */
export const fillSteel = async (page: Page, number: string, hand: Hand = mouse): Promise<void> => {
  await hand.press(page.getByRole('button', { name: /^Fill in / }).first())
  const purchaser = at(page, `${transaction}/A06`)
  const field = (code: string): Locator => page.getByRole('textbox', { name: code })
  await hand.write(field('A02'), 'EN 10204 3.1')
  await hand.write(field('A03'), number)
  await at(page, `${transaction}/A04`).locator('input[type=file]').setInputFiles(pixel)
  await hand.write(field('A05'), 'Works inspection')
  await hand.write(purchaser.getByRole('combobox', { name: 'Name' }), 'Bridge Works')
  for (const [label, text] of [
    ['Street', 'Girder Road 2'],
    ['Postal code', '10115'],
    ['City', 'Bridgetown'],
  ] as const)
    await hand.write(purchaser.getByRole('textbox', { name: label }), text)
  await hand.press(purchaser.getByRole('button', { name: /Country/ }))
  await page.getByRole('listbox').waitFor()
  await page.keyboard.type('Germany')
  await page.keyboard.press('Enter')
  await hand.write(field('A07'), 'PO-4711')
  await hand.write(field('B01'), 'Hot rolled plate')
  await hand.write(field('B02'), 'EN 10025-2 S355J2+N')
  await hand.write(page.getByLabel('Statement of compliance'), 'The product conforms to the order.')
  await hand.write(page.getByLabel('Date of issue'), '2026-11-11')
}

/** A spreadsheet with the chemistry of two heats and its limits. */
export const chemistry = [
  ['Heat', 'C', 'Si', 'Mn', 'P'],
  ['Max', '0,20', '0,55', '1,60', '0,025'],
  ['175508', '0,17', '0,25', '1,45', '0,012'],
  ['175509', '0,16', '0,24', '1,47', '< 0,003'],
]

export const pasteChemistry = async (page: Page, hand: Hand = mouse): Promise<void> => {
  await hand.reach(page.getByRole('region', { name: 'Chemical composition' }).getByRole('textbox').first())
  await paste(page, chemistry)
}

const valueFor = (pointer: string, type: string | null, mode: string | null): string => {
  if (type === 'date') return '2026-11-22'
  if (mode === 'decimal') return '1'
  if (/Email/.test(pointer)) return 'quality@mill.example'
  if (pointer.endsWith('Version')) return '1.0.0'
  return 'Text 1'
}

const fillFocused = async (page: Page): Promise<void> => {
  const field = page.locator(':focus')
  const kind = await page.evaluate<string>('document.activeElement.tagName')
  if (kind === 'SELECT') {
    await field.selectOption({ index: 1 })
  } else if (kind === 'BUTTON') {
    await field.press('Enter')
    await page.getByRole('listbox').getByRole('option').first().click()
  } else {
    const place = field.locator('xpath=ancestor::*[@data-pointer][1]')
    const pointer = (await place.getAttribute('data-pointer')) ?? ''
    await field.fill(
      valueFor(pointer, await field.getAttribute('type'), await field.getAttribute('inputmode')),
    )
  }
}

const mostSteps = 200

/** Waits until the form is drawn whole, with the identities, and what was typed last is checked. */
export const checkedForm = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Notarize', disabled: false }).waitFor()
  await page.locator('.form-submit-line [role=status][aria-busy=false]').waitFor()
}

/** Lets the form lead from one missing field to the next until there is none. Returns how many fields it began with. */
export const fillRequired = async (page: Page): Promise<number> => {
  await checkedForm(page)
  const begun = await page.locator('.form .field :is(input, textarea, .select):visible').count()
  for (const picture of await page.locator('.form .form-image').all()) {
    await picture.locator('input[type=file]').setInputFiles(pixel)
    await picture.getByRole('img').waitFor()
  }
  for (let step = 0; step < mostSteps; step += 1) {
    await checkedForm(page)
    if ((await page.getByText('Nothing is missing', { exact: true }).count()) > 0) return begun
    await page.getByRole('button', { name: 'Notarize' }).press('Enter')
    await page.locator(':focus:is(input, textarea, select, .select)').waitFor()
    await fillFocused(page)
  }
  throw new Error(`The form led to ${mostSteps} fields, and something is still missing`)
}
