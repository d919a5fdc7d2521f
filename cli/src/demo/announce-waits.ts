import type { Terminal } from '../frame/terminal.ts'

/** The client waits by itself when it reaches a limit of the server. Nobody should wait without knowing for what. */
export const announceWaits =
  (terminal: Terminal): typeof fetch =>
  async (...call) => {
    const response = await fetch(...call)
    const seconds = response.headers.get('retry-after')
    if (response.status === 429 && seconds !== null)
      terminal.note(
        `  wait ${seconds} s, because the server limits calls of ${new URL(response.url).pathname}`,
      )
    return response
  }
