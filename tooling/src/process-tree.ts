import { execFileSync } from 'node:child_process'

/**
 * Kills a process and everything it started, also in process groups of their own. Without this, a server or a broker
 * that a test started would outlive the test.
 */
export const killTree = (pid: number): void => {
  const children = new Map<number, number[]>()
  for (const line of execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    children.set(parent, [...(children.get(parent) ?? []), child])
  }
  const kill = (one: number): void => {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It ended on its own.
    }
    children.get(one)?.forEach(kill)
  }
  kill(pid)
}
