import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const packages = ['qpdf', 'poppler-utils', 'qemu-user', 'default-jdk-headless', 'maven', 'zbar-tools']
/** Test files run in parallel, and only one may install at a time. */
const installOptions = ['--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']

/** Whether a program is installed; on CI it is installed if needed. A test is skipped without it. */
export const findTool = async (name: string): Promise<boolean> => {
  if (await isInstalled(name)) return true
  if (process.env['CI'] !== 'true' || process.getuid?.() !== 0) return false
  await run('apt-get', ['install', '-y', ...installOptions, ...packages], { timeout: 300_000 }).catch(
    () => undefined,
  )
  return isInstalled(name)
}

/** The reason to skip a test that needs these programs; false if all are installed. */
export const skipWithout = async (...names: readonly string[]): Promise<string | false> => {
  for (const name of names) if (!(await findTool(name))) return `${name} is not installed`
  return false
}

const isInstalled = async (name: string): Promise<boolean> => {
  try {
    await run('which', [name])
    return true
  } catch {
    return false
  }
}

export const runTool = async (name: string, options: readonly string[]): Promise<string> => {
  const { stdout } = await run(name, options, { timeout: 120_000 })
  return stdout
}

type PdfFile = AsyncDisposable & {
  readonly path: string
  /** The path of another file in its folder, which is deleted with it. */
  readonly beside: (name: string) => string
}

export const writePdf = async (pdf: Uint8Array): Promise<PdfFile> => {
  const folder = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
  const path = join(folder, 'certificate.pdf')
  await writeFile(path, pdf)
  return {
    path,
    beside: (name) => join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
