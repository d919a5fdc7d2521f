import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { sampleCertificate } from '../../server/test/certificates.ts'
import { startTestServer } from '../../server/test/test-server.ts'
import { everyScope, newApplication, newOwner } from '../../server/test/machines.ts'
import { newIdentity } from '../../server/test/signers.ts'
import { makeTemporaryFolder } from '../../server/test/temporary-folder.ts'
import { packSdk } from './pack-sdk.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const typesChecked = [
  '--module',
  'nodenext',
  '--target',
  'es2024',
  '--lib',
  'es2024,dom',
  '--strict',
  '--noUncheckedIndexedAccess',
  '--noEmit',
  '--typeRoots',
  join(root, 'node_modules/@types'),
  '--types',
  'node',
  // Several checkers would each work out the same types.
  '--checkers',
  '1',
]

const right = `
import { ApiError, type Connection, connect, verifyWebhook } from '@millseal/sdk'
const millseal: Connection = connect({ baseUrl: 'http://localhost:8080', accessToken: 'x' })
const name: Promise<string> = millseal.readCompany({ params: { id: 'x' } }).then((company) => company.name)
export { ApiError, name, verifyWebhook }
`
const wrong = `
import { connect } from '@millseal/sdk'
const millseal = connect({ baseUrl: 'http://localhost:8080' })
export const missing = millseal.readCompany({ params: {} })
export const mistyped = millseal.readCompanies({})
`

const exampleOf = async (page: string): Promise<string> =>
  /```js\n(.*?)```/s.exec(await readFile(join(root, page), 'utf8'))?.[1] ?? ''

describe('the SDK as a package', () => {
  test('can be installed in an empty project, with correct types, README and examples', async () => {
    await using folder = await makeTemporaryFolder()
    const packed = await packSdk(join(folder.path, 'packages'))
    const project = join(folder.path, 'project')
    const inProject = { cwd: project }
    await run('mkdir', [project])
    await writeFile(join(project, 'package.json'), '{"type":"module","private":true}')
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', packed], inProject)
    const installed = (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))
    assert.deepEqual(installed, ['@millseal', 'typebox'])

    await writeFile(join(project, 'right.ts'), right)
    await writeFile(join(project, 'wrong.ts'), wrong)
    const check = (...files: string[]) =>
      run(join(root, 'node_modules/.bin/tsc'), [...typesChecked, ...files], inProject)
    await assert.rejects(
      check('wrong.ts'),
      ({ stdout }: { stdout: string }) =>
        /'id' is missing/.test(stdout) && /'readCompanies' does not exist/.test(stdout),
    )

    await writeFile(join(project, 'example.ts'), await exampleOf('docs/sdk.md'))
    const handler =
      'declare const seenBefore: (id: string) => Promise<boolean>\ndeclare const handle: Function\n'
    await writeFile(join(project, 'handler.ts'), `${await exampleOf('docs/webhooks.md')}${handler}`)
    await check('right.ts', 'example.ts', 'handler.ts')
    const readme = await readFile(join(project, 'node_modules/@millseal/sdk/README.md'), 'utf8')
    assert.doesNotMatch(readme, /\]\((?!https?:)/, 'a package has no other pages to link to')

    await using server = await startTestServer()
    const owner = await newOwner(server, 'integrator')
    await newIdentity(server.client(owner.admin.accessToken), owner.company.id)
    const { clientId, clientSecret } = await newApplication(server, owner, { scopes: everyScope })
    await writeFile(join(project, 'example.js'), await exampleOf('docs/sdk.md'))
    await writeFile(join(project, 'certificate.json'), JSON.stringify(sampleCertificate()))
    const environment = { MILLSEAL_URL: server.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
    const { stdout } = await run(process.execPath, ['example.js'], { ...inProject, env: environment })
    assert.match(stdout, /^notarized [0-9a-f]{64}\nvalid test\n$/)
  })
})
