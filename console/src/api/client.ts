import { ApiError, connect, type Connection } from '@millseal/sdk'
import { onlineManager } from '@tanstack/react-query'
import { reportAway } from './reachable.ts'

type Listener = () => void
const onEnded = new Set<Listener>()

/** Calls the listener when the server says that nobody is signed in. Returns the function that removes it. */
export const onSessionEnded = (listener: Listener): Listener => {
  onEnded.add(listener)
  return () => void onEnded.delete(listener)
}

/** The server accepts the session cookie only with this header, which other sites cannot send. */
const fetchWithSession: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  request.headers.set('x-millseal-console', '1')
  const response = await fetch(request).catch((error: unknown) => {
    if (!request.signal.aborted) reportAway()
    throw error
  })
  if (response.status === 502 || response.status === 503 || response.status === 504) reportAway()
  if (response.status === 401) {
    // Queries wait until somebody has signed in again, so that no screen fails below the dialog that asks for it.
    onlineManager.setOnline(false)
    for (const listener of onEnded) listener()
  }
  return response
}

/** Repeats the waiting queries after somebody has signed in again. */
export const resumeQueries = (): void => onlineManager.setOnline(true)

/** Every operation of the service, called with the session of this browser. */
export const api: Connection = connect({
  baseUrl: location.origin,
  fetch: fetchWithSession,
  patience: { attempts: 4, waitMs: 8_000 },
})

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401

export { ApiError }
