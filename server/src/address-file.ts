import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Lets commands on this machine find the server on any port. A full disk must not end the start. */
export const leaveAddress = async (dataDir: string, address: string): Promise<AsyncDisposable> => {
  const path = join(dataDir, 'server-address')
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
