import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { TokenSettings } from '../src/adapters/vault/pkcs11/token.ts'
import { installPackage, mayInstall } from './debian-package.ts'
import { keep, keptFolder } from './kept-build.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const modules = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
]

const run = (command: string, args: readonly string[], environment: Record<string, string> = {}): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 100_000,
    env: { ...process.env, ...environment },
  })
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`)
  return stdout
}

const library = 'pkcs11.node'

const findModule = (): string | undefined => modules.find((path) => existsSync(path))

const isBuilt = (): boolean => {
  try {
    createRequire(import.meta.url)('pkcs11js')
    return true
  } catch {
    return false
  }
}

/** As docs/keys.md says, with the headers of the Node that runs this; or the result of an earlier checkout. */
const build = async (): Promise<void> => {
  const compiled = join(
    dirname(createRequire(import.meta.url).resolve('pkcs11js/package.json')),
    'build/Release',
  )
  const { version } = JSON.parse(readFileSync(join(compiled, '../../package.json'), 'utf8'))
  const folder = keptFolder('pkcs11js', `${version}-node-${process.versions.modules}`)
  await keep(folder, async (unfinished) => {
    const home = join(dirname(process.execPath), '..')
    const headers = existsSync(join(home, 'include/node/node_api.h')) ? [`--nodedir=${home}`] : []
    run('npm', ['rebuild', 'pkcs11js', '--ignore-scripts=false', ...headers])
    await copyFile(join(compiled, library), join(unfinished, library))
  })
  await mkdir(compiled, { recursive: true })
  const copy = join(compiled, `${library}-${process.pid}`)
  await copyFile(join(folder, library), copy)
  await rename(copy, join(compiled, library))
}

/** Why there is no token here, or false. CI installs what is missing. */
export const lacksSoftToken = async (): Promise<string | false> => {
  if (findModule() === undefined && mayInstall)
    installPackage({ name: 'softhsm2', file: '/usr/bin/softhsm2-util' })
  if (findModule() === undefined) return 'softhsm2 is not installed on this machine'
  if (!isBuilt() && mayInstall) await build()
  return isBuilt() ? false : 'pkcs11js is not built: npm rebuild pkcs11js --ignore-scripts=false'
}

export interface SoftToken extends AsyncDisposable {
  readonly settings: TokenSettings
  /** Removes the token from its slot, and inserts it again. */
  unplug(): Promise<void>
  plugIn(): Promise<void>
  /** Copies the private key of a file in PEM into the token. */
  importKey(path: string, label: string): void
}

/** A new SoftHSM token in its own folder. Signer processes that start while it exists find it. */
export const openSoftToken = async (): Promise<SoftToken> => {
  const module = findModule()
  if (module === undefined) throw new Error('softhsm2 is not installed')
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await makeTemporaryFolder())
  const tokens = join(folder.path, 'tokens')
  const configuration = join(folder.path, 'softhsm2.conf')
  await writeFile(
    configuration,
    `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  )
  const settings = { module, token: 'millseal test', pin: '1234', keyLabel: 'millseal' }
  run('mkdir', ['-p', tokens])
  run(
    'softhsm2-util',
    ['--init-token', '--free', '--label', settings.token, '--pin', settings.pin, '--so-pin', '5678'],
    { SOFTHSM2_CONF: configuration },
  )
  const before = process.env['SOFTHSM2_CONF']
  process.env['SOFTHSM2_CONF'] = configuration
  opened.defer(() => {
    if (before === undefined) delete process.env['SOFTHSM2_CONF']
    else process.env['SOFTHSM2_CONF'] = before
  })
  const away = `${tokens}-away`
  const stack = opened.move()
  return {
    settings,
    async unplug() {
      await rename(tokens, away)
      run('mkdir', ['-p', tokens])
    },
    async plugIn() {
      run('rmdir', [tokens])
      await rename(away, tokens)
    },
    importKey(path, label) {
      const key = ['--import', path, '--label', label, '--id', randomBytes(4).toString('hex')]
      run('softhsm2-util', [...key, '--token', settings.token, '--pin', settings.pin], {
        SOFTHSM2_CONF: configuration,
      })
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
