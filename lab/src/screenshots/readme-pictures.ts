import type { Page } from 'playwright-core'
import { animatedPng, smallPng } from './small-png.ts'
import {
  becomesQuiet,
  contextOf,
  findLive,
  type Given,
  isDrawn,
  type Picture,
  signInAll,
} from './take-pictures.ts'

const wide = { width: 1280, theme: 'light' } as const
const secondsEach = 2

/** The pictures of README: the form, the paper and a phone, and what becomes of a certificate of which a value is changed. */
export const takeReadme = async (
  given: Given,
  save: (picture: Picture) => Promise<void>,
): Promise<number> => {
  const manager = (await signInAll(given, [{ role: 'manager' }])).get('manager')
  const live = manager && (await findLive(given, manager, '1866604/001'))
  if (live === undefined) throw new Error('The tour has no live certificate 1866604/001')
  const { browser, url } = given
  const certificate = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: live.pdf }

  await using console = await browser.newContext({ ...contextOf(given, wide), storageState: manager })
  const form = await console.newPage()
  await form.goto(`${url}/console/new/form?from=${live.id}`)
  await form.getByText('Draft: not notarized').waitFor()
  await becomesQuiet(form)
  await save({ name: 'form', png: smallPng(await form.screenshot()) })

  const one = await console.newPage()
  await one.goto(`${url}/console/certificates/${live.id}`)
  await one.locator('iframe.paper').waitFor()
  await isDrawn(one)
  const frame = await one.locator('iframe.paper').boundingBox()
  if (frame === null) throw new Error('The page is not shown')
  // Without the dark border of the viewer.
  const clip = { x: frame.x + 5, y: frame.y + 4, width: frame.width - 10, height: frame.height - 14 }
  await save({ name: 'paper', png: smallPng(await one.screenshot({ clip })) })

  await using phone = await browser.newContext({
    ...contextOf(given, wide),
    viewport: { width: 390, height: 844 },
  })
  const receiver = await phone.newPage()
  await receiver.goto(`${url}/verify`)
  await show(receiver, certificate)
  await receiver.evaluate('scrollTo(0, 0)')
  await save({ name: 'phone', png: smallPng(await receiver.screenshot()) })

  await using screen = await browser.newContext({
    ...contextOf(given, wide),
    viewport: { width: 960, height: 620 },
  })
  const page = await screen.newPage()
  await page.goto(`${url}/verify`)
  await isDrawn(page)
  const frames = [await page.screenshot()]
  const json = { name: 'certificate.json', mimeType: 'application/json', buffer: changed(live.json) }
  for (const file of [certificate, json]) {
    await show(page, file)
    frames.push(await page.screenshot())
  }
  await save({ name: 'verify', png: animatedPng(frames, secondsEach) })
  return 4
}

const show = async (
  page: Page,
  file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
): Promise<void> => {
  await page.setInputFiles('#file', file)
  await page.locator('#verdict').first().waitFor()
  await becomesQuiet(page)
}

/** The share of carbon, as somebody would change it who wants to sell another steel. */
const changed = (json: Buffer): Buffer => {
  const text = json.toString()
  const altered = text.replace(/("C71":\{[^]*?"Value":"?)0\.\d+/, '$10.12')
  if (altered === text) throw new Error('The certificate has no share of carbon to change')
  return Buffer.from(altered)
}
