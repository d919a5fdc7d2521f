import type { Browser, Page } from './browser.ts'
import type { Person } from './people.ts'
import { newPasskey, type SoftPasskey } from './soft-passkey.ts'
import type { TestServer } from './test-server.ts'

/** Adds a passkey of an authenticator in software to the account. */
export const addPasskey = async (
  server: TestServer,
  { accessToken }: Pick<Person, 'accessToken'>,
): Promise<SoftPasskey> => {
  const client = server.client(accessToken)
  const { options } = await client.createPasskeyOptions({})
  const passkey = newPasskey(options, { origin: server.url })
  await client.createPasskey({ body: { name: 'Laptop', response: passkey.response } })
  return passkey
}

/** What a page asks for a passkey with. Empty if it does not ask for any. */
export const passkeyRequestIn = ({ text }: Page): string =>
  /data-passkey="([^"]+)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? ''

/** Sends the answer of a passkey in the form of the page that asks for one. */
export const submitPasskey = (browser: Browser, page: Page, response: string): Promise<Page> =>
  browser.submit({ ...page, text: page.text.slice(page.text.indexOf('<div class="passkey"')) }, { response })
