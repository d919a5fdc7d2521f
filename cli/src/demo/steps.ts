import type { Terminal } from '../frame/terminal.ts'

export type Step = { readonly name: string; readonly ms: number }

/** Runs steps one after another and prints the duration of each. */
export const createSteps = (terminal: Terminal) => {
  const done: Step[] = []
  return {
    done,
    async step<T>(name: string, work: () => Promise<T>, about: (result: T) => string = () => ''): Promise<T> {
      const startedMs = performance.now()
      const result = await work()
      const ms = Math.round(performance.now() - startedMs)
      done.push({ name, ms })
      const detail = about(result)
      terminal.note(`  ${name.padEnd(44)} ${String(ms).padStart(6)} ms${detail === '' ? '' : `  ${detail}`}`)
      return result
    },
  }
}

export type Steps = ReturnType<typeof createSteps>
