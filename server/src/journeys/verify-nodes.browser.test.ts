import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createFolderFiles, createNodeServer, openNode, parseLogList } from '@millseal/node'
import type { Browser, Page } from 'playwright-core'
import { openTestDatabase } from '../../test/database.ts'
import { findChromium, launchChromium, listenForFiles } from '../../test/chromium.ts'
import { eventually } from '../../test/eventually.ts'
import { newLiveOwner } from '../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../test/offline.ts'
import { inChromium, verdictOn } from '../../test/receiver-pages.ts'
import { freePort } from '../../test/server-process.ts'
import { newIdentity } from '../../test/signers.ts'
import { makeTemporaryFolder } from '../../test/temporary-folder.ts'
import { addressOf, startOwnServer, type TestServer } from '../../test/test-server.ts'

const executable = findChromium({ showsPdfs: true })
const skip = executable === undefined ? 'there is no chromium on this machine' : false

describe('the page that verifies, of a service that names nodes', { skip }, () => {
  const opened = new AsyncDisposableStack()
  let browser: Browser
  let server: TestServer
  let inspector: string
  let liar: string
  let files: Readonly<Record<'genuine' | 'withdrawn', string>>
  /** What the node that lies has for the withdrawn certificate. */
  let earlier = ''

  const listening = async (http: Server): Promise<string> => {
    http.listen(0, '127.0.0.1')
    opened.defer(() => {
      http.close()
      http.closeAllConnections()
    })
    await once(http, 'listening')
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  }

  before(async () => {
    if (executable === undefined) return
    browser = await launchChromium(executable)
    opened.defer(() => browser.close())
    const { path } = opened.use(await makeTemporaryFolder())
    const databaseUrl = addressOf(opened.use(await openTestDatabase()))
    const shared = { MILLSEAL_PORT: String(await freePort()) }
    const first = await startOwnServer({ databaseUrl, environment: shared })
    const list = await (await fetch(`${first.url}/ledger/logs.v0`)).text()
    await first[Symbol.asyncDispose]()
    const logs = parseLogList(list)
    const node = await openNode({ name: 'inspection.example/node', logs, files: createFolderFiles(path) })
    opened.defer(() => node.close())
    inspector = await listening(createNodeServer(node, { version: '0', note: () => {} }))
    liar = await listening(
      createServer((_, response) => {
        response.writeHead(200, { 'access-control-allow-origin': '*' }).end(earlier)
      }),
    )
    const policy = join(path, 'cosigners.policy')
    const { vkey } = node.keys.node
    const lines = [`witness inspector ${vkey} ${inspector}`, `witness liar ${node.keys.witness.vkey} ${liar}`]
    await writeFile(policy, `${lines.join('\n')}\nquorum inspector\n`)
    server = await startOwnServer({
      databaseUrl,
      environment: { ...shared, MILLSEAL_COSIGNERS: policy, MILLSEAL_VERIFY_NODES: 'inspector, liar' },
    })
    const { admin, company } = await newLiveOwner(server, 'silent-mill')
    const client = server.client(admin.accessToken)
    const identity = await newIdentity(client, company.id, 'live')
    await publishIdentity(client, { company: company.id, identity, mode: 'live' })
    const mode = 'live' as const
    const genuine = await notarizeSample(client, { company: company.id, identity, mode })
    const withdrawn = await notarizeSample(client, { company: company.id, identity, mode })
    const address = `${server.url}/api/certificates/proof/${withdrawn.hash.value}?mode=live&format=3`
    earlier = await (await fetch(address)).text()
    const call = { company: company.id, params: { id: withdrawn.id } }
    await client.withdrawCertificate({ ...call, body: { reason: 'wrong heat' } })
    files = { genuine: join(path, 'genuine.json'), withdrawn: join(path, 'withdrawn.json') }
    await writeFile(files.genuine, genuine.text)
    await writeFile(files.withdrawn, withdrawn.text)
    const live = node.logs.find(({ key }) => key.name.endsWith('/live'))
    await eventually(
      async () => {
        const held = await fetch(`${inspector}/${live?.id}/proof/${withdrawn.hash.value}?format=3`)
        const bundle = (await held.json().catch(() => undefined)) as { readonly corrections?: readonly [] }
        return (bundle?.corrections?.length ?? 0) > 0
      },
      { what: 'the node has the withdrawal' },
    )
  })
  after(() => opened.disposeAsync())

  const openPage = async (): Promise<Page> => {
    const page = await browser.newPage({ locale: 'en-GB' })
    listenForFiles(page)
    await page.goto(`${server.url}/verify`, { waitUntil: 'networkidle' })
    return page
  }
  const assertHeld = async (page: Page): Promise<void> => {
    const genuine = await verdictOn(inChromium(page), files.genuine)
    assert.deepEqual([genuine.tone, genuine.says.startsWith('GENUINE')], ['good', true], genuine.says)
    const said = await page.getByText(/The service has no answer\. The proof bundle of /).textContent()
    assert.ok(said?.includes(`The proof bundle of ${inspector.slice('http://'.length)}`), said ?? '')
    const withdrawn = await verdictOn(inChromium(page), files.withdrawn)
    assert.deepEqual([withdrawn.tone, withdrawn.says.startsWith('WITHDRAWN')], ['bad', true], withdrawn.says)
    await page.close()
  }

  test('asks them when the service denies a certificate, and may connect only to them', async () => {
    const answer = await fetch(`${server.url}/verify`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.ok(policy.includes(`connect-src 'self' ${inspector} ${liar}`), policy)
    const page = await openPage()
    await page.route('**/api/certificates/proof/**', (route) => route.fulfill({ status: 404, body: '' }))
    await assertHeld(page)
  })

  test('asks them when the service was killed, and does not believe one that hides a withdrawal', async () => {
    const page = await openPage()
    await server[Symbol.asyncDispose]()
    await assertHeld(page)
  })
})
