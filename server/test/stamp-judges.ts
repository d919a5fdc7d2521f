import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeResponse } from '@millseal/proof/node/stamp-authority'
import { installPackage, mayInstall } from './debian-package.ts'
import { keep, keptFolder } from './kept-build.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)
/** The verifier of Sigstore, in Rust. */
const packages = ['rfc3161-client==1.0.9', 'cryptography==50.0.2', 'cffi==2.1.1', 'pycparser==3.12']
const folder = keptFolder('rfc3161-client', '1.0.9')
const pip = [
  'install',
  '--quiet',
  '--disable-pip-version-check',
  '--no-deps',
  '--only-binary=:all:',
  '--target',
]

/** Why rfc3161-client is missing here, or false. CI installs it, so nothing is skipped there. */
export const lacksRfc3161Client = async (): Promise<string | false> => {
  if (!existsSync(folder) && mayInstall) {
    installPackage({ name: 'python3-venv', file: '/usr/bin/python3' })
    await keep(folder, async (unfinished) => {
      await run('/usr/bin/python3', ['-m', 'venv', join(unfinished, 'pip')])
      await run(join(unfinished, 'pip/bin/pip'), [...pip, join(unfinished, 'lib'), ...packages])
    })
  }
  return existsSync(folder)
    ? false
    : `rfc3161-client is not installed: pip ${pip.join(' ')} ${folder}/lib ${packages.join(' ')}`
}

export type JudgedStamp = { readonly token: Uint8Array; readonly text: string; readonly root: string }

/** Whether the time stamp is about this text, and of this root. */
export type StampJudge = (stamp: JudgedStamp) => Promise<boolean>

const isAccepted = async (program: string, given: readonly string[], environment = {}): Promise<boolean> =>
  await run(program, given, { env: { ...process.env, ...environment } }).then(
    () => true,
    () => false,
  )

export const judgeByOpenssl: StampJudge = async ({ token, text, root }) => {
  await using place = await makeTemporaryFolder()
  const [tokenFile, textFile] = [join(place.path, 'token'), join(place.path, 'text')]
  await writeFile(tokenFile, token)
  await writeFile(textFile, text)
  return await isAccepted('openssl', [
    'ts',
    '-verify',
    '-in',
    tokenFile,
    '-token_in',
    '-data',
    textFile,
    '-CAfile',
    root,
  ])
}

export const judgeByRfc3161Client: StampJudge = async ({ token, text, root }) => {
  await using place = await makeTemporaryFolder()
  const answer = join(place.path, 'answer')
  await writeFile(answer, makeResponse(token))
  const program = join(import.meta.dirname, 'stamp-judge.py')
  const given = [program, answer, hash('sha256', text), root]
  return await isAccepted('/usr/bin/python3', given, { PYTHONPATH: join(folder, 'lib') })
}
