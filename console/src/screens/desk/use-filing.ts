import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { refreshDesk } from './queries.ts'

const longestName = 200
let lastKey = 0

/** Files one after the other, so that a folder of hundreds keeps within the limit of calls. What cannot be filed is named. */
export const useFiling = (against: string | undefined) => {
  const { company, mode } = useHere()
  const [failed, setFailed] = useState<
    readonly { readonly key: number; readonly name: string; readonly error: unknown }[]
  >([])
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number }>()
  const file = async (files: readonly File[]): Promise<void> => {
    setFailed([])
    for (const [done, one] of files.entries()) {
      setProgress({ done: done + 1, all: files.length })
      try {
        const document = new Blob([one], { type: await typeOf(one) })
        const query = { mode, against, fileName: one.name.slice(-longestName) }
        await api.fileCertificate({ company, query, document })
      } catch (error) {
        lastKey += 1
        const key = lastKey
        setFailed((all) => [...all, { key, name: one.name, error }])
      }
    }
    setProgress(undefined)
    await refreshDesk(company)
  }
  return { file, failed, progress }
}

/** Read from its first bytes: a dropped file may have any name. */
const typeOf = async (file: File): Promise<string> =>
  (await file.slice(0, 5).text()) === '%PDF-' ? 'application/pdf' : 'application/json'
