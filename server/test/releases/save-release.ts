// Saves what an installation of this release leaves behind: node server/test/releases/save-release.ts
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { backUp } from '../../src/compose/backup.ts'
import { sampleCertificate } from '../certificates.ts'
import { everyScope, newApplication, newOwner, tokenOf } from '../machines.ts'
import { password } from '../people.ts'
import { endedNotarization, newIdentity } from '../signers.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'
import { startOwnServer } from '../test-server.ts'

const root = join(import.meta.dirname, '../../..')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }

const save = async (): Promise<void> => {
  await using folder = await makeTemporaryFolder()
  await using server = await startOwnServer({ environment: { MILLSEAL_FILES: 'folder' } })
  const owner = await newOwner(server, 'mill-of-the-past')
  const { company, admin } = owner
  const application = await newApplication(server, owner, { scopes: everyScope })
  const client = server.client(await tokenOf(server, application))
  const identity = await newIdentity(client, company.id)
  await client.createHook({
    company: company.id,
    body: {
      connectionUrl: 'https://example.com/hook',
      mode: 'test',
      scopes: [{ resource: 'certificates', actions: ['notarize_one'] }],
    },
  })
  const { jobId } = await client.notarizeCertificate({
    company: company.id,
    query: { mode: 'test', identity: identity.id },
    document: new Blob([JSON.stringify(sampleCertificate({ number: 'of the past' }))], {
      type: 'application/json',
    }),
  })
  const { hash, state, transactionId } = await endedNotarization(client, { company: company.id, jobId })
  if (state !== 'notarized') throw new Error(`The certificate is ${state}`)
  const { clientId, clientSecret } = application
  const known = {
    username: admin.username,
    password,
    company: company.id,
    clientId,
    clientSecret,
    identity: identity.id,
    hash: hash.value,
    transactionId,
  }
  await writeFile(join(folder.path, 'known.json'), `${JSON.stringify(known, null, 2)}\n`)
  // They are larger than everything else.
  await rm(join(server.config.dataDir, 'mails'), { recursive: true })
  await backUp(server.config, { name: join(folder.path, 'backup'), includeKeys: false })
  const archive = join(import.meta.dirname, `${version}.tar.gz`)
  await promisify(execFile)('tar', ['-czf', archive, '-C', folder.path, 'known.json', 'backup'])
  process.stdout.write(`${archive}\n`)
}

await save()
// The helpers of tests would report on tests otherwise.
process.exit()
