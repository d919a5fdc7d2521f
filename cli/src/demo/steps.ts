import type { Terminal } from '../frame/terminal.ts'

export type Step = { readonly name: string; readonly ms: number }

/** Does one thing after the other, and says what, and how long it took. */
export const createSteps = (terminal: Pick<Terminal, 'tell' | 'progress'>) => {
  const done: Step[] = []
  return {
    done,
    async step<T>(name: string, work: () => Promise<T>, about: (result: T) => string = () => ''): Promise<T> {
      const startedMs = performance.now()
      const result = await work()
      const ms = Math.round(performance.now() - startedMs)
      done.push({ name, ms })
      const said = about(result)
      terminal.tell(`  ${name.padEnd(44)} ${String(ms).padStart(6)} ms${said === '' ? '' : `  ${said}`}`)
      return result
    },
  }
}

export type Steps = ReturnType<typeof createSteps>
