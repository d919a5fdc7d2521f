import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')

/**
 * For a program that tests build or install once: outside the checkout, so that the next one has it. `key` stands for
 * everything that it is made from.
 */
export const keptFolder = (name: string, key: string): string =>
  join(cache, 'millseal-tests', name, `${key}-${process.platform}-${process.arch}`)

/** Makes the folder unless it is there. Of processes that make it side by side, one is first and the others use its folder. */
export const keep = async (folder: string, make: (unfinished: string) => Promise<unknown>): Promise<void> => {
  if (existsSync(folder)) return
  const unfinished = join(dirname(folder), `unfinished-${randomUUID()}`)
  try {
    await mkdir(unfinished, { recursive: true })
    await make(unfinished)
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}
