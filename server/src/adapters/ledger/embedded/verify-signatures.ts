import { parentPort } from 'node:worker_threads'
import { nodePrimitives } from '@millseal/proof/node'
import { decodeChecks } from './signature-thread.ts'

/** Runs in a thread. Answers each message with a byte for each of its signatures: 1 if it is valid. */
parentPort?.on('message', (encoded: Uint8Array) => {
  const results = decodeChecks(encoded).map((check) => (nodePrimitives.verifyEd25519(check) ? 1 : 0))
  parentPort?.postMessage(Uint8Array.from(results))
})
