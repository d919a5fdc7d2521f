import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileIn = (dataDir: string): string => join(dataDir, 'server-address')

/** Lets commands on this machine find the server on any port. A full disk must not end the start. */
export const leaveAddress = async (dataDir: string, address: string): Promise<AsyncDisposable> => {
  const path = fileIn(dataDir)
  const isWritten = await writeFile(path, `${address}\n`).then(
    () => true,
    () => false,
  )
  return {
    [Symbol.asyncDispose]: async () => {
      if (isWritten) await rm(path, { force: true })
    },
  }
}

/** Undefined if no server runs with this data folder. */
export const findAddress = (dataDir: string): string | undefined => {
  try {
    return readFileSync(fileIn(dataDir), 'utf8').trim()
  } catch {
    return undefined
  }
}
