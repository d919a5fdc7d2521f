import { Worker } from 'node:worker_threads'
import type { SignatureCheck } from '@millseal/proof'

/** Verifies signatures on a thread of its own, which starts with the first call of `start` and does not keep the process alive. */
export type SignatureThread = AsyncDisposable & {
  /** False while it starts, and after it ended. */
  readonly isReady: boolean
  start(): void
  /** In the order of the checks. Rejects if the thread ends first. */
  verify(checks: readonly SignatureCheck[]): Promise<readonly boolean[]>
}

const verifying = new URL('verify-signatures.ts', import.meta.url)

export const createSignatureThread = ({
  script = verifying,
  onEnded,
}: {
  readonly script?: URL
  /** Called if the thread ended by itself. It is not started again. */
  readonly onEnded: (error: Error) => void
}): SignatureThread => {
  // Answers arrive in the order of the messages.
  const asked: PromiseWithResolvers<Uint8Array>[] = []
  let worker: Worker | undefined
  let isReady = false
  let isClosed = false

  const end = (error: Error): void => {
    isReady = false
    for (const { reject } of asked.splice(0)) reject(error)
  }
  const ask = (started: Worker, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
    const answer = Promise.withResolvers<Uint8Array>()
    asked.push(answer)
    started.postMessage(message, [message.buffer])
    return answer.promise
  }
  return {
    get isReady() {
      return isReady
    },
    start() {
      if (worker !== undefined || isClosed) return
      worker = new Worker(script, { execArgv: [] })
      worker.unref()
      let reason: Error | undefined
      worker.on('message', (answer: Uint8Array) => asked.shift()?.resolve(answer))
      worker.on('error', (error) => (reason = error))
      worker.on('exit', () => {
        const error = reason ?? new Error('The thread that verifies signatures ended')
        end(error)
        if (!isClosed) onEnded(error)
      })
      // Its answer to no signatures says that it is ready.
      ask(worker, encodeChecks([])).then(
        () => (isReady = !isClosed),
        () => {},
      )
    },
    async verify(checks) {
      if (worker === undefined || !isReady)
        throw new Error('The thread that verifies signatures is not ready')
      const results = await ask(worker, encodeChecks(checks))
      return checks.map((_, at) => results[at] === 1)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      end(new Error('The thread that verifies signatures is closed'))
      await worker?.terminate()
    },
  }
}

const keyBytes = 32
const messageBytes = 32
const signatureBytes = 64
const checkBytes = keyBytes + messageBytes + signatureBytes

/** In one piece, because copying three arrays for each signature takes longer. */
const encodeChecks = (checks: readonly SignatureCheck[]): Uint8Array<ArrayBuffer> => {
  const encoded = new Uint8Array(checks.length * checkBytes)
  for (const [at, { publicKey, message, signature }] of checks.entries()) {
    const lengths = [publicKey.length, message.length, signature.length]
    if (lengths.join() !== `${keyBytes},${messageBytes},${signatureBytes}`)
      throw new RangeError(`A signature check has parts of ${lengths.join(', ')} bytes`)
    encoded.set(publicKey, at * checkBytes)
    encoded.set(message, at * checkBytes + keyBytes)
    encoded.set(signature, at * checkBytes + keyBytes + messageBytes)
  }
  return encoded
}

export const decodeChecks = (encoded: Uint8Array): readonly SignatureCheck[] =>
  Array.from({ length: encoded.length / checkBytes }, (_, at) => {
    const check = encoded.subarray(at * checkBytes, (at + 1) * checkBytes)
    return {
      publicKey: check.subarray(0, keyBytes),
      message: check.subarray(keyBytes, keyBytes + messageBytes),
      signature: check.subarray(keyBytes + messageBytes),
    }
  })
