import { workerData } from 'node:worker_threads'

const { mostResidentBytes, parent } = workerData as {
  readonly mostResidentBytes: number
  readonly parent: number
}

/** Ends the process when a document makes it too large, or when the server that started it is gone. */
setInterval(() => {
  if (process.memoryUsage.rss() > mostResidentBytes || process.ppid !== parent) {
    process.kill(process.pid, 'SIGKILL')
  }
}, 50)
