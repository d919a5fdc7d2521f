import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const packages = ['qpdf', 'poppler-utils', 'qemu-user']
/** Test files run side by side, and only one may install at a time. */
const patiently = ['--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']

/** Runs a program that may not be installed here; whoever asks skips the test by its name then. */
export const findTool = async (name: string): Promise<boolean> => {
  if (await isThere(name)) return true
  if (process.env['CI'] !== 'true' || process.getuid?.() !== 0) return false
  await run('apt-get', ['install', '-y', ...patiently, ...packages], { timeout: 120_000 }).catch(
    () => undefined,
  )
  return isThere(name)
}

const isThere = async (name: string): Promise<boolean> => {
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

type PdfFile = AsyncDisposable & { readonly path: string; readonly beside: (name: string) => string }

export const writePdf = async (pdf: Uint8Array): Promise<PdfFile> => {
  const folder = await mkdtemp(join(tmpdir(), 'millseal-pdf-'))
  const path = join(folder, 'certificate.pdf')
  await writeFile(path, pdf)
  return {
    path,
    beside: (name) => join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
