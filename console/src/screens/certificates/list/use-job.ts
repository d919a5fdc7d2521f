import { useEffect, useRef, useState } from 'react'

export type Job = {
  /** The progress in words while it runs. */
  readonly progress: string | undefined
  readonly error: unknown
  readonly start: (work: (options: JobOptions) => Promise<void>) => void
  readonly stop: () => void
}

export type JobOptions = { readonly signal: AbortSignal; readonly say: (progress: string) => void }

/** Runs one longer task at a time, and stops it when the screen closes. */
export const useJob = (): Job => {
  const [progress, setProgress] = useState<string>()
  const [error, setError] = useState<unknown>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start: Job['start'] = (work) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setError(undefined)
    setProgress('…')
    work({ signal, say: setProgress })
      .catch((cause: unknown) => {
        if (!signal.aborted) setError(cause)
      })
      .finally(() => {
        if (running.current === controller) setProgress(undefined)
      })
  }
  const stop = () => {
    running.current?.abort()
    setProgress(undefined)
  }
  return { progress, error, start, stop }
}
