const everyMs = 20

let ticks = 0
setInterval(() => {
  ticks += 1
}, everyMs).unref()

/**
 * Milliseconds that this process has waited or computed. Unlike a wall clock, it stands nearly still while a busy machine
 * runs other processes, so a limit on it is about this program and not about the machine.
 */
export const ownTimeMs = (): number => {
  const { user, system } = process.cpuUsage()
  return ticks * everyMs + (user + system) / 1_000
}
