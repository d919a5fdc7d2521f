import assert from 'node:assert/strict'
import { type Browser, consoleHeaders, openBrowser, type Page, signInBy } from './browser.ts'
import type { TestServer } from './test-server.ts'
import { password, type Person, signUp } from './people.ts'

/** The first call of a page of the console. */
export const askWhoIAm = (
  { url }: Pick<TestServer, 'url'>,
  browser: Browser,
  headers: Record<string, string> = consoleHeaders,
): Promise<Response> => browser.call(`${url}/api/users/me`, { method: 'GET', headers })

export const sessionCookie = ({ cookies }: Browser): string | undefined =>
  cookies.find(({ name }) => name === 'millseal')?.value

type SignedIn = { readonly person: Person; readonly browser: Browser; readonly page: Page }

/** A new user in a new browser. */
export const signedInByBrowser = async (server: TestServer, username: string): Promise<SignedIn> => {
  const person = await signUp(server, username)
  const browser = openBrowser()
  const page = await signInBy(browser, server, { login: username, password })
  assert.equal(page.status, 200, page.text)
  return { person, browser, page }
}
