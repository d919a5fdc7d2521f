import { useSyncExternalStore } from 'react'
import { useHere } from '../../../shell/here.ts'
import { type Owner, ownerKeyOf } from './entry.ts'
import { Files, type Snapshot } from './files.ts'

const opened = new Map<string, Files>()

const filesOf = (owner: Owner): Files => {
  const key = ownerKeyOf(owner)
  const known = opened.get(key) ?? new Files(owner)
  opened.set(key, known)
  return known
}

export type OpenFiles = Snapshot & {
  readonly add: (files: readonly File[]) => Promise<void>
  readonly files: Files
}

/** The files of the person in the present company and mode. */
export const useFiles = (): OpenFiles => {
  const { session, company, mode } = useHere()
  const files = filesOf({ user: session.me.id, company, mode })
  const snapshot = useSyncExternalStore(files.subscribe, files.snapshot)
  return {
    ...snapshot,
    files,
    add: (dropped) => files.add(dropped.map((file) => ({ name: file.name, content: file }))),
  }
}
