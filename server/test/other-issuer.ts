import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Browser, Page } from './browser.ts'
import type { Account } from './other-issuer-process.ts'

export interface OtherIssuer extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The accounts, with their claims. */
  know(accounts: Readonly<Record<string, Account>>): Promise<void>
}

/** A second, independent OpenID provider in a process of its own. */
export const startOtherIssuer = async (...redirectUris: readonly string[]): Promise<OtherIssuer> => {
  const clientId = 'millseal-test'
  const clientSecret = 'a secret/with: signs that need encoding %'
  const child = fork(
    join(import.meta.dirname, 'other-issuer-process.ts'),
    [redirectUris.join(' '), clientId, clientSecret],
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  )
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }]
  return {
    issuer,
    clientId,
    clientSecret,
    async know(accounts) {
      child.send(accounts)
      await once(child, 'message')
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Answers the pages of the other issuer: its login, and its consent where it asks for it. */
export const signInThere = async (browser: Browser, page: Page, account: string): Promise<Page> => {
  let next = page
  if (next.text.includes('name="login"'))
    next = await browser.submit(next, { login: account, password: 'any' })
  if (next.text.includes('value="consent"')) next = await browser.submit(next, {})
  return next
}
