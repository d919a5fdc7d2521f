import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { fillSteel, newClerk, pasteChemistry } from '../../../test/console-form.ts'
import { keyboard } from '../../../test/console-hand.ts'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { freePort, type ServerProcess, startServer } from '../../../test/server-process.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../test/temporary-folder.ts'

const skip = lacksChromium()
let console: Console
let folder: TemporaryFolder
let environment: Record<string, string>
let process: ServerProcess | undefined

/** The server that the page talks to is a process of its own, beside the one that the tests sign people up with. */
before(async () => {
  if (skip !== false) return
  console = await startConsole()
  folder = await makeTemporaryFolder()
  environment = {
    DATABASE_URL: console.server.config.databaseUrl ?? '',
    MILLSEAL_DATA_DIR: folder.path,
    MILLSEAL_MASTER_KEY: Buffer.alloc(32, 'test').toString('base64'),
    MILLSEAL_PORT: String(await freePort()),
    MILLSEAL_ROLES: 'api',
  }
})
after(async () => {
  if (skip !== false) return
  await process?.[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
  await console[Symbol.asyncDispose]()
})

const stop = async ({ child }: ServerProcess): Promise<void> => {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

test('the server restarts while a form is open: the page says so and heals, and nothing typed by keyboard is lost', {
  skip,
}, async () => {
  const clerk = await newClerk(console, 'patient')
  process = await startServer(environment)
  const url = `http://localhost:${environment['MILLSEAL_PORT']}`
  const page = await console.open()
  await console.signIn(page, clerk, '/new/form?family=en10168&version=1.0.0', url)
  await fillSteel(page, 'RESTART-1', keyboard)
  await pasteChemistry(page, keyboard)
  await page.getByText('Nothing is missing', { exact: true }).waitFor()

  await stop(process)
  const number = page.getByRole('textbox', { name: 'A03' })
  await keyboard.write(number, 'RESTART-2')
  await page.getByText('The server does not answer. This page').waitFor()
  await keyboard.write(page.getByRole('textbox', { name: 'B01' }), 'Typed while the server was away')

  process = await startServer(environment)
  await page.getByText('The server answers again.').waitFor({ state: 'attached' })
  await page.getByText('The server does not answer. This page').waitFor({ state: 'detached' })
  assert.equal(await number.inputValue(), 'RESTART-2')
  await keyboard.press(page.getByRole('button', { name: 'Notarize' }))
  await page.getByRole('link', { name: 'Open the certificate' }).waitFor()

  const client = console.server.client(clerk.accessToken)
  const all = await client.listCertificates({ company: clerk.company, query: { mode: 'test' } })
  assert.deepEqual(
    all.map(({ summary }) => summary?.identifier),
    ['RESTART-2'],
  )
  const file = await client.readCertificateJson({
    company: clerk.company,
    params: { id: all[0]?.id ?? '' },
  })
  assert.match(await file.text(), /Typed while the server was away/)
  console.assertNoErrors(/ERR_CONNECTION_REFUSED/)
})
