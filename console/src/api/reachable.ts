/** Every failed call is reported here. After a failure, the server is asked until it answers again. */
type Listener = () => void
const listeners = new Set<Listener>()
let isAway = false
const pauseMs = 2_000

const announce = (next: boolean): void => {
  isAway = next
  for (const listener of listeners) listener()
}

const watch = async (): Promise<void> => {
  const answer = await fetch('/api/health', { cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok === true) announce(false)
  else setTimeout(() => void watch(), pauseMs)
}

export const reportAway = (): void => {
  if (isAway) return
  announce(true)
  void watch()
}

export const isServerAway = (): boolean => isAway

export const subscribeToReachability = (listener: Listener): Listener => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
