import { workerData } from 'node:worker_threads'

const { maxResidentBytes, parent } = workerData as {
  readonly maxResidentBytes: number
  readonly parent: number
}

/** Ends the process if it grows too large or if the server that started it has ended. */
setInterval(() => {
  if (process.memoryUsage.rss() > maxResidentBytes || process.ppid !== parent) {
    process.kill(process.pid, 'SIGKILL')
  }
}, 50)
