import { useState } from 'react'

export type Selection = {
  readonly ids: ReadonlySet<string>
  readonly toggle: (id: string) => void
  readonly add: (ids: readonly string[]) => void
  readonly clear: () => void
}

export const useSelection = (): Selection => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    ids,
    toggle: (id) =>
      setIds((before) => {
        const next = new Set(before)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    add: (more) => setIds((before) => new Set([...before, ...more])),
    clear: () => setIds(new Set()),
  }
}
