import { join } from 'node:path'

/** How this program is started once more, so that a hint can be copied: from a checkout, or from the package. */
export const programName = (): string => {
  if (import.meta.filename.endsWith('.ts')) return join(import.meta.dirname, '../../../script/millseal')
  return nameInPackage(process.argv[1] ?? '')
}

/** Only an installation for all projects is found by its name alone. */
export const nameInPackage = (started: string): string =>
  /[\\/]node_modules[\\/]/.test(started) ? 'npx millseal' : 'millseal'
