import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type BrowserContext, errors, type Page } from 'playwright-core'
import type { Certificate } from '@millseal/contract'
import { codeOf } from '../../../cli/src/demo/totp.ts'
import type { Role, Screen } from './screens.ts'
import { smallPng } from './small-png.ts'

export type Login = {
  readonly role: string
  readonly username: string
  readonly password: string
  /** Of the authenticator, if there is one. */
  readonly secret?: string
}

export type Picture = { readonly name: string; readonly png: Buffer }

export type Given = {
  readonly browser: Browser
  readonly url: string
  readonly logins: readonly Login[]
  readonly language: string
}

type Look = { readonly width: 1280 | 390 | 360; readonly theme: 'light' | 'dark' }

const looks: readonly Look[] = [
  { width: 1280, theme: 'light' },
  { width: 390, theme: 'dark' },
  { width: 1280, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 360, theme: 'dark' },
  { width: 360, theme: 'light' },
]

const isTaken = ({ isForReceivers }: Screen, { width }: Look): boolean =>
  width === 1280 || (isForReceivers === true) === (width === 360)

const heightOf = ({ width }: Look): number => ({ 360: 740, 390: 844, 1280: 900 })[width]
const pauseMs = 400
/** A list can be endless; its beginning shows how it looks. */
const maxHeight = 2_000
const timeout = 120_000

export const takePictures = async (
  given: Given,
  screens: readonly Screen[],
  save: (picture: Picture) => Promise<void>,
): Promise<{ readonly saved: number; readonly skipped: readonly string[] }> => {
  const sessions = await signInAll(given, screens)
  const manager = sessions.get('manager')
  const live = manager === undefined ? undefined : await findLive(given, manager)
  const skipped = new Set<string>()
  let saved = 0
  for (const look of looks) {
    for (const [role, storageState] of sessions) {
      const context = await given.browser.newContext({ ...contextOf(given, look), storageState })
      for (const screen of screens.filter((one) => one.role === role && isTaken(one, look))) {
        const reason = await openScreen(context, { ...given, live }, screen)
        if (typeof reason === 'string') {
          skipped.add(`${screen.name}: ${reason}`)
          continue
        }
        await save({
          name: `${screen.name}-${look.width}-${look.theme}`,
          png: await takePicture(reason, look),
        })
        saved += 1
        await reason.close()
      }
      await context.close()
    }
  }
  return { saved, skipped: [...skipped] }
}

export const contextOf = ({ language }: Given, look: Look) => ({
  viewport: { width: look.width, height: heightOf(look) },
  colorScheme: look.theme,
  locale: language,
  timezoneId: 'Europe/Vienna',
  reducedMotion: 'reduce' as const,
})

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

const codeMs = 30_000

/** Each person signs in once: a code of an authenticator is good only once, and the tour may have used the present one. */
export const signInAll = async (
  given: Given,
  screens: readonly { readonly role: Role }[],
): Promise<ReadonlyMap<Role, Session>> => {
  const sessions = new Map<Role, Session>()
  await pause(codeMs - (Date.now() % codeMs) + pauseMs)
  for (const role of new Set(screens.map((screen) => screen.role))) {
    const context = await given.browser.newContext({ locale: given.language })
    const login = given.logins.find((one) => one.role === role)
    if (login !== undefined) await signIn(await context.newPage(), given.url, login)
    sessions.set(role, await context.storageState())
    await context.close()
  }
  return sessions
}

const signIn = async (page: Page, url: string, { username, password, secret }: Login): Promise<void> => {
  await page.goto(`${url}/auth/login?return_to=/console/start`, { timeout })
  await page.locator('input[name=login]').fill(username)
  await page.locator('input[name=password]').fill(password)
  await page.locator('form button').first().click()
  if (secret !== undefined) {
    await page.locator('input[name=code]').fill(codeOf(secret, Date.now()))
    await page.locator('form button').first().click()
  }
  await page.waitForURL('**/console/start**', { timeout })
}

/** The page when everything on it is drawn, or why it is skipped. */
const openScreen = async (
  context: BrowserContext,
  { url, live }: Given & { readonly live: Live | undefined },
  { path, follow, code, pdf }: Screen,
): Promise<Page | string> => {
  const page = await context.newPage()
  if ((code ?? pdf) === true && live === undefined) return 'there is no live certificate'
  const response = await page.goto(`${url}${path}${code === true ? live?.code : ''}`, { timeout })
  if (response?.status() === 404) return `${path} is no page`
  if (!(await isDrawn(page))) return `${path} is not drawn in time`
  if (pdf === true && live !== undefined) {
    await page.setInputFiles('#file', {
      name: 'certificate.pdf',
      mimeType: 'application/pdf',
      buffer: live.pdf,
    })
    await page.locator('#verdict').first().waitFor({ timeout })
    await becomesQuiet(page)
  }
  const isMissing = await page.getByRole('heading', { name: 'There is no such page' }).count()
  if (isMissing > 0) return `${path} is no page`
  if (follow === undefined) return page
  const links = await page.evaluate<string[]>(
    "[...document.querySelectorAll('main a[href]')].map((link) => link.href)",
  )
  const target = links.find((href) => follow.test(href))
  if (target === undefined) return `${path} has no link to open`
  await page.goto(target, { timeout })
  return (await isDrawn(page)) ? page : `${target} is not drawn in time`
}

export const isDrawn = async (page: Page): Promise<boolean> => {
  try {
    await page.locator('h1').first().waitFor({ timeout })
    await page.waitForLoadState('networkidle', { timeout })
    await page.evaluate('document.fonts.ready.then(() => undefined)')
    await becomesQuiet(page)
    return true
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false
    throw error
  }
}

/** Answers can follow answers, so it waits until the text stays the same for three looks at it. */
export const becomesQuiet = async (page: Page): Promise<void> => {
  let [text, same] = ['', 0]
  for (let looked = 0; looked < 25 && same < 3; looked += 1) {
    await pause(pauseMs)
    const next = await page.evaluate<string>('document.body.innerText')
    same = next === text ? same + 1 : 0
    text = next
  }
}

const hashBytes = 16

/** The first live certificate that a search finds: the beginning of its hash, which is its printed code, and its files. */
type Live = { readonly id: string; readonly code: string; readonly pdf: Buffer; readonly json: Buffer }

export const findLive = async (
  { browser, url }: Given,
  storageState: Session,
  text = '',
): Promise<Live | undefined> => {
  await using context = await browser.newContext({ storageState })
  const get = (path: string, company = '') => {
    const headers = { 'x-millseal-console': '1', ...(company !== '' && { company }) }
    return context.request.get(`${url}/api${path}`, { headers })
  }
  const me = (await (await get('/users/me')).json()) as { readonly companies: readonly { id: string }[] }
  const company = me.companies[0]?.id
  const search = text === '' ? '' : `&text=${encodeURIComponent(text)}`
  const list = await get(`/certificates?mode=live&state=notarized&limit=1${search}`, company)
  const [first] = (await list.json()) as readonly Certificate[]
  if (first === undefined) return undefined
  return {
    id: first.id,
    code: Buffer.from(first.hash.value, 'hex').subarray(0, hashBytes).toString('base64url'),
    pdf: await (await get(`/certificates/${first.id}/pdf`, company)).body(),
    json: await (await get(`/certificates/${first.id}/json`, company)).body(),
  }
}

const takePicture = async (page: Page, look: Look): Promise<Buffer> => {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({
    width: look.width,
    height: Math.min(Math.max(height, heightOf(look)), maxHeight),
  })
  return smallPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
}
