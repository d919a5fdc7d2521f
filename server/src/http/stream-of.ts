import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { startDeadline } from '../lib/deadline.ts'
import { Problem } from '../lib/problem.ts'

/** A client that takes nothing for so long gets no more. */
const stalledMs = 25_000

/** Makes each part when the client has taken those before. Ends early, without its end, when the server stops. */
export const streamOf = (
  parts: AsyncIterable<string>,
  { raw, draining }: { readonly raw: ServerResponse; readonly draining: () => boolean },
): Readable => {
  const taken = async function* (): AsyncGenerator<string> {
    for await (const part of parts) {
      if (draining()) throw new Problem('unavailable')
      using _stalled = startDeadline(stalledMs, () => raw.destroy())
      yield part
    }
  }
  return Readable.from(taken())
}
