import type { KeyboardEvent } from 'react'

type Keys = {
  readonly count: number
  readonly active: number
  readonly move: (index: number, options: { extend: boolean }) => void
  readonly open: (index: number) => void
  readonly toggle: (index: number) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

const page = 10

const targetOf = (key: string, { active, count }: Keys): number | undefined => {
  switch (key) {
    case 'ArrowDown':
      return active + 1
    case 'ArrowUp':
      return active - 1
    case 'PageDown':
      return active + page
    case 'PageUp':
      return active - page
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}

/** The keys of a grid (ARIA Authoring Practices) in which rows are selected, not cells. */
export const handleGridKey = (event: KeyboardEvent, keys: Keys): void => {
  const { count, active } = keys
  if (count === 0 || event.altKey) return
  const target = targetOf(event.key, keys)
  if (target !== undefined) {
    keys.move(Math.min(count - 1, Math.max(0, target)), { extend: event.shiftKey })
  } else if (event.key === 'Enter') keys.open(active)
  else if (event.key === ' ') keys.toggle(active)
  else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) keys.selectAll()
  else if (event.key === 'Escape') keys.clear()
  else return
  event.preventDefault()
}
