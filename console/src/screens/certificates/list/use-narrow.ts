import { useSyncExternalStore } from 'react'

/** Up to this width, the shell has no navigation beside the screen. */
const narrow = window.matchMedia('(max-width: 760px)')

const subscribe = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** True on phones, where rows become cards. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
